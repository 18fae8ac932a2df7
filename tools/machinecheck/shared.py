"""What several checks need of one build, made once."""

import weakref

from .banners import Banners
from .calls import Calls
from .flow import Flow
from .machine import Build

_flows: "weakref.WeakKeyDictionary[Build, Flow]" = weakref.WeakKeyDictionary()
_banners: "weakref.WeakKeyDictionary[Build, Banners]" = weakref.WeakKeyDictionary()


def flow(build: Build) -> Flow:
    if build not in _flows:
        _flows[build] = Flow(Calls(build))
    return _flows[build]


def banners(build: Build) -> Banners:
    if build not in _banners:
        _banners[build] = Banners(build)
    return _banners[build]
