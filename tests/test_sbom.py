"""ninja sbom: an SPDX 2.3 document that names what is in the archive, no more and no less."""

import hashlib
import json
import os
import re
import sys
import unittest

from tree_case import QUICK, Tree

IDENTIFIER = r"^SPDXRef-[A-Za-z0-9.-]+$"
FILE_TYPES = {"ARCHIVE", "BINARY", "SOURCE"}
RELATIONSHIPS = {"DESCRIBES", "CONTAINS", "GENERATED_FROM"}
# Properties of the elements in use: those that the specification demands, and others that it knows.
PROPERTIES = {
    "document": (
        {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"},
        {"packages", "files", "relationships", "comment"},
    ),
    "package": (
        {"SPDXID", "name", "downloadLocation"},
        {"versionInfo", "primaryPackagePurpose", "filesAnalyzed", "packageVerificationCode", "licenseConcluded",
         "licenseDeclared", "licenseInfoFromFiles", "copyrightText", "comment"},
    ),
    "file": (
        {"SPDXID", "fileName", "checksums"},
        {"fileTypes", "licenseConcluded", "licenseInfoInFiles", "copyrightText"},
    ),
    "relationship": ({"spdxElementId", "relationshipType", "relatedSpdxElement"}, set()),
}


class Sbom(Tree):
    def sbom(self, directory: str = "build", epoch: str = "1") -> dict:
        self.ninja("sbom", directory=directory, SOURCE_DATE_EPOCH=epoch)
        document = json.loads(self.read(f"{directory}/libvg.spdx.json"))
        self.check_structure(document)
        return document

    def check_properties(self, kind: str, element: dict) -> None:
        demanded, known = PROPERTIES[kind]
        self.assertLessEqual(demanded, set(element))
        self.assertLessEqual(set(element), demanded | known)

    def check_structure(self, document: dict) -> None:
        self.check_properties("document", document)
        self.assertEqual((document["spdxVersion"], document["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        self.assertEqual(document["SPDXID"], "SPDXRef-DOCUMENT")
        self.assertRegex(document["documentNamespace"], r"^https://[^#\s]+-[0-9a-f-]{36}$")
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(document["creationInfo"]["creators"][0], r"^Tool: \S+$")
        (package,) = document["packages"]
        self.check_properties("package", package)
        names = [package["SPDXID"]]
        for file in document["files"]:
            self.check_properties("file", file)
            names.append(file["SPDXID"])
            self.assertRegex(file["fileName"], r"^\./[^/].*$")
            self.assertLessEqual(set(file["fileTypes"]), FILE_TYPES)
            for checksum, digits in zip(file["checksums"], (40, 64), strict=True):
                self.assertRegex(checksum["checksumValue"], f"^[0-9a-f]{{{digits}}}$")
            self.assertEqual([checksum["algorithm"] for checksum in file["checksums"]], ["SHA1", "SHA256"])
        for name in names:
            self.assertRegex(name, IDENTIFIER)
        self.assertEqual(len(names), len(set(names)))
        for relationship in document["relationships"]:
            self.check_properties("relationship", relationship)
            self.assertIn(relationship["relationshipType"], RELATIONSHIPS)
            self.assertIn(relationship["spdxElementId"], [*names, "SPDXRef-DOCUMENT"])
            self.assertIn(relationship["relatedSpdxElement"], names)
        sums = sorted(file["checksums"][0]["checksumValue"] for file in document["files"])
        code = hashlib.sha1("".join(sums).encode()).hexdigest()
        self.assertEqual(package["packageVerificationCode"]["packageVerificationCodeValue"], code)

    def files(self, document: dict) -> dict[str, tuple[str, str]]:
        """Name, and the two checksums."""
        found = {f["fileName"][2:]: tuple(c["checksumValue"] for c in f["checksums"]) for f in document["files"]}
        self.assertEqual(len(found), len(document["files"]))
        return found

    def related(self, document: dict, kind: str, name: str) -> set[str]:
        names = {file["SPDXID"]: file["fileName"][2:] for file in document["files"]}
        names |= {"SPDXRef-DOCUMENT": "document", document["packages"][0]["SPDXID"]: "package"}
        return {
            names[r["relatedSpdxElement"]]
            for r in document["relationships"]
            if r["relationshipType"] == kind and names[r["spdxElementId"]] == name
        }

    def checksums(self, path: str) -> tuple[str, str]:
        with open(self.path(path), "rb") as file:
            content = file.read()
        return hashlib.sha1(content).hexdigest(), hashlib.sha256(content).hexdigest()

    def test_everything_and_nothing_else(self):
        self.build(*QUICK)
        document = self.sbom()
        files = self.files(document)
        self.assertEqual(files["libvg.a"], self.checksums("build/libvg.a"))
        self.assertEqual(self.related(document, "DESCRIBES", "document"), {"package"})
        self.assertEqual(self.related(document, "CONTAINS", "package"), set(files))

        members = self.run_in("ar", "t", "build/libvg.a").out.split()
        self.assertEqual(self.related(document, "CONTAINS", "libvg.a"), {f"libvg.a/{name}" for name in members})
        os.mkdir(self.path("members"))
        self.run_in("ar", "x", "build/libvg.a", "--output", "members")
        steps = self.run_in("ninja", "-C", "build", "-t", "commands", "libvg.a").out
        sources = set()
        for name in members:
            self.assertEqual(files[f"libvg.a/{name}"], self.checksums(f"members/{name}"))
            command = next(line for line in steps.splitlines() if re.search(rf"-o \S*obj/{re.escape(name)}\b", line))
            source = re.search(rf"{re.escape(self.tree)}/((?:src|asm)/\S+\.(?:c|asm))", command)[1]
            made_from = self.related(document, "GENERATED_FROM", f"libvg.a/{name}")
            self.assertIn(source, made_from)
            sources |= made_from
        self.assertEqual(set(files), sources | {"libvg.a"} | {f"libvg.a/{name}" for name in members})
        for name in sources:
            generated = name in ("include/vg/config.h", "config.inc")
            self.assertEqual(files[name], self.checksums(f"build/{name}" if generated else name), name)
        self.assertLessEqual({"src/check.h", "src/internal.h", "config.inc", "asm/include/abi.inc"}, sources)

    def test_what_is_left_out(self):
        """A smaller archive has a shorter list; another source has another checksum and another document."""
        self.build("tiny", *QUICK)
        first = self.sbom()
        names = set(self.files(first))
        self.assertIn("src/seal.c", names)
        self.assertEqual({name for name in names if re.search(r"chain|stream|gather|\.asm|\.inc", name)}, set())
        self.assertIn("VG_CHAIN=n", first["packages"][0]["comment"])
        self.assertIn("no work to do", self.ninja("sbom").out)
        self.assertEqual(self.sbom(), first)

        self.edit("src/seal.c", "\n", "\n/* More. */\n")
        second = self.sbom()
        self.assertNotEqual(first["documentNamespace"], second["documentNamespace"])
        before, after = self.files(first), self.files(second)
        self.assertEqual({name for name in before if before[name] != after[name]}, {"src/seal.c"})

        os.remove(self.path("build/libvg.spdx.json"))
        refused = self.ninja("sbom", fails=True, SOURCE_DATE_EPOCH="today").text
        self.assertIn("SOURCE_DATE_EPOCH=today: seconds since 1970 are wanted", refused)

        self.edit("build/.config", "# VG_SPLIT is not set", "VG_SPLIT=y")
        self.assertIn("src/split.c", self.files(self.sbom()))


if __name__ == "__main__":
    program = unittest.main(exit=False, verbosity=1)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    sys.exit(not program.result.wasSuccessful())
