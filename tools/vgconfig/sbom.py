"""ninja sbom: what went into libvg.a, as an SPDX 2.3 document (https://spdx.github.io/spdx-spec/v2.3/).

The members of the archive, the files that each was made from, and the checksums of all of them."""

import datetime
import hashlib
import json
import os
import re
import subprocess
import time
import uuid
from typing import Iterator

from .common import ROOT, VERSION, Mistake, read, write_if_changed

NAME = "libvg.spdx.json"
LICENSE = "BSD-2-Clause"
PACKAGE = "SPDXRef-Package-vg"


def members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and content of each object in an archive as GNU ar writes it."""
    at, long_names = len(b"!<arch>\n"), b""
    while at < len(archive):
        name, size = archive[at : at + 16].decode().rstrip(), int(archive[at + 48 : at + 58])
        content = archive[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
        if name == "//":
            long_names = content
        elif name not in ("/", "/SYM64/"):
            name = long_names[int(name[1:]) :].split(b"\n")[0].decode() if name[0] == "/" else name
            yield name.removesuffix("/"), content


def made_from(directory: str, objects: list[str]) -> dict[str, list[str]]:
    """The files of the source tree and of the build directory that each object was made from."""
    command = ["ninja", "-C", directory, "-t", "deps", *objects]
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Mistake(f"sbom: {error}") from None
    parts = re.split(r"^(\S+): #deps \d+, .*\((VALID|STALE)\)$", text, flags=re.M)[1:]
    found = {}
    for name, state, paths in zip(parts[::3], parts[1::3], parts[2::3]):
        absolute = [os.path.normpath(os.path.join(directory, path.strip())) for path in paths.strip().splitlines()]
        ours = [path for path in absolute if any(path.startswith(top + "/") for top in (ROOT, directory))]
        if state == "VALID" and ours:
            found[name] = sorted(ours)
    missing = set(objects) - set(found)
    if missing:
        raise Mistake(f"ninja does not know what {missing.pop()} was made from: run ninja libvg.a")
    return found


def name_of(path: str, directory: str) -> str:
    """As it stands in the document: relative to the build directory or to the sources, whichever it lies in."""
    return os.path.relpath(path, directory if path.startswith(directory + "/") else ROOT)


def date() -> datetime.datetime:
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or str(int(time.time()))
    try:
        return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    except (ValueError, OverflowError, OSError):
        raise Mistake(f"SOURCE_DATE_EPOCH={epoch}: seconds since 1970 are wanted") from None


class Document:
    def __init__(self) -> None:
        self.files: dict[str, dict] = {}
        self.relationships: list[dict] = []
        self.copyright = re.search(r"^Copyright .*$", read(os.path.join(ROOT, "LICENSE")), re.M)[0]

    def relate(self, element: str, kind: str, other: str) -> None:
        self.relationships.append({"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": other})

    def add(self, name: str, content: bytes, *types: str) -> str:
        """The identifier of a file, which is new or known."""
        known = self.files.get(name)
        if known is None:
            sums = [(kind, hashlib.new(kind, content).hexdigest()) for kind in ("sha1", "sha256")]
            known = self.files[name] = {
                "SPDXID": f"SPDXRef-File-{len(self.files) + 1}-" + re.sub(r"[^A-Za-z0-9.]", "-", name),
                "fileName": "./" + name,
                "fileTypes": list(types),
                "checksums": [{"algorithm": kind.upper(), "checksumValue": value} for kind, value in sums],
                "licenseConcluded": LICENSE,
                "licenseInfoInFiles": ["NOASSERTION"],
                "copyrightText": self.copyright,
            }
            self.relate(PACKAGE, "CONTAINS", known["SPDXID"])
        return known["SPDXID"]

    def verification_code(self) -> str:
        """Clause 7.9."""
        sums = sorted(file["checksums"][0]["checksumValue"] for file in self.files.values())
        return hashlib.sha1("".join(sums).encode()).hexdigest()

    def write(self, path: str, configuration: str) -> None:
        self.relate("SPDXRef-DOCUMENT", "DESCRIBES", PACKAGE)
        document = {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": "libvg",
            "creationInfo": {
                "created": date().strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": [f"Tool: vg-sbom-{VERSION}"],
            },
            "packages": [
                {
                    "SPDXID": PACKAGE,
                    "name": "vg",
                    "versionInfo": VERSION,
                    "downloadLocation": "NOASSERTION",
                    "primaryPackagePurpose": "LIBRARY",
                    "filesAnalyzed": True,
                    "packageVerificationCode": {"packageVerificationCodeValue": self.verification_code()},
                    "licenseConcluded": LICENSE,
                    "licenseDeclared": LICENSE,
                    "licenseInfoFromFiles": ["NOASSERTION"],
                    "copyrightText": self.copyright,
                    "comment": f"Configuration: {configuration}",
                }
            ],
            "files": [self.files[name] for name in sorted(self.files)],
            "relationships": self.relationships,
        }
        content = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
        identifier = uuid.uuid5(uuid.NAMESPACE_OID, content)
        document["documentNamespace"] = f"https://spdx.org/spdxdocs/libvg-{identifier}"
        write_if_changed(path, json.dumps(document, indent=1) + "\n")


def content_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def sbom(directory: str, configuration: str) -> None:
    directory = os.path.realpath(directory)
    archive = content_of(os.path.join(directory, "libvg.a"))
    objects = dict(members(archive))
    sources = made_from(directory, [f"obj/{name}" for name in objects])
    document = Document()
    whole = document.add("libvg.a", archive, "ARCHIVE", "BINARY")
    for name in sorted(objects):
        part = document.add(f"libvg.a/{name}", objects[name], "BINARY")
        document.relate(whole, "CONTAINS", part)
        for path in sources[f"obj/{name}"]:
            source = document.add(name_of(path, directory), content_of(path), "SOURCE")
            document.relate(part, "GENERATED_FROM", source)
    document.write(os.path.join(directory, NAME), configuration)
