"""ninja install: the archive, the headers with the generated vg/config.h, vg.pc, and the list of what is in it."""

import glob
import os
import shutil

from . import sbom
from .common import ROOT, VERSION, Mistake, write_if_changed


def install(directory: str) -> None:
    prefix = os.environ.get("PREFIX") or "/usr/local"
    libdir = os.environ.get("LIBDIR") or prefix + "/lib"
    includedir = os.environ.get("INCLUDEDIR") or prefix + "/include"
    datadir = os.environ.get("DATADIR") or prefix + "/share"
    destdir = os.environ.get("DESTDIR", "")
    for name, value in (("PREFIX", prefix), ("LIBDIR", libdir), ("INCLUDEDIR", includedir), ("DATADIR", datadir)):
        if not os.path.isabs(value):
            raise Mistake(f"{name}={value}: an absolute path is wanted")
    headers = glob.glob(os.path.join(ROOT, "include/vg/*.h")) + [os.path.join(directory, "include/vg/config.h")]
    copy(os.path.join(directory, "libvg.a"), destdir + libdir)
    for header in headers:
        copy(header, destdir + includedir + "/vg")
    copy(os.path.join(directory, sbom.NAME), destdir + datadir + "/vg")
    target = destdir + libdir + "/pkgconfig/vg.pc"
    write_if_changed(
        target,
        f"""prefix={prefix}
libdir={libdir}
includedir={includedir}

Name: vg
Description: AES-GCM built to the board
Version: {VERSION}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -lvg
""",
    )
    print(f"installed {destdir + libdir}/libvg.a, {destdir + includedir}/vg/*.h and {target}")


def copy(source: str, folder: str) -> None:
    target = os.path.join(folder, os.path.basename(source))
    try:
        os.makedirs(folder, exist_ok=True)
        shutil.copyfile(source, target)
        os.chmod(target, 0o644)
    except OSError as error:
        raise Mistake(f"{target}: cannot write: {error.strerror}") from None
