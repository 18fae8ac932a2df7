#!/usr/bin/env python3
"""The command-line tool: tests/test_tool.py [DIR] [unittest options]; DIR/vg is the tool of a build directory.

Without DIR it builds one itself. What other configurations leave out is tried in builds of their own, either way."""

import contextlib
import json
import os
import pty
import re
import resource
import select
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
from tool_case import HERE, KEY, NONCE, Libcrypto, Tool, build, limit_files  # noqa: E402

TEXT_MAX = (1 << 36) - 32
LENGTHS = (0, 1, 15, 16, 17, 65535, 65536, (1 << 18) + 1, (1 << 20) + 3)
LONGER_THAN_MEMORY = (3 << 20) + 5  # open holds less than this without a file


class Messages(Tool):
    def setUp(self):
        super().setUp()
        self.need("VG_STREAM", "VG_OPEN", "VG_AES256")

    def test_files(self):
        for n in LENGTHS:
            self.write("text", os.urandom(n))
            self.assertEqual(self.vg("seal", "-k", "key", "text", "sealed"), b"")
            self.assertEqual(self.vg("open", "-k", "key", "sealed", "opened"), b"")
            self.assertEqual(self.read("opened"), self.read("text"), n)
            self.assertEqual(len(self.read("sealed")), 12 + n + 16)
            self.assertEqual(self.files(), ["key", "opened", "sealed", "text"])
            os.unlink(self.path("sealed"))
            os.unlink(self.path("opened"))

    def test_pipes(self):
        for n in (*LENGTHS, LONGER_THAN_MEMORY):
            text = os.urandom(n)
            sealed = self.vg("seal", "-k", "key", text=text)
            self.assertEqual(len(sealed), 12 + n + 16)
            self.assertEqual(self.vg("open", "-k", "key", "-", "-", text=sealed), text, n)
        self.assertEqual(self.files(), ["key"])

    def test_other_implementation(self):
        libcrypto = Libcrypto()
        for bits in (128, 192, 256):
            for nonce_len in (12, 1, 16, 64, 128):
                if not self.config(f"VG_AES{bits}") or not (nonce_len == 12 or self.config("VG_ANY_NONCE")):
                    continue
                key, nonce = KEY[: bits // 8], os.urandom(nonce_len)
                self.write("key", key)
                self.write("nonce", nonce)
                for n in (0, 1, 16, 1000, (1 << 20) + 3):
                    text, aad = os.urandom(n), b"a" * (n % 70)
                    words = ("-k", "key", "--nonce-file", "nonce", "--aad", aad.decode())
                    sealed = libcrypto.seal(key, nonce, aad, text)
                    self.assertEqual(self.vg("seal", *words, text=text), sealed, (bits, nonce_len, n))
                    self.assertEqual(self.vg("open", *words, text=sealed), text, (bits, nonce_len, n))

    def test_drawn_nonce(self):
        libcrypto, nonces = Libcrypto(), set()
        for _ in range(20):
            sealed = self.vg("seal", "-k", "key", "-a", "some", text=b"text")
            nonces.add(sealed[:12])
            self.assertEqual(libcrypto.seal(KEY, sealed[:12], b"some", b"text"), sealed[12:])
        self.assertEqual(len(nonces), 20)

    def test_places(self):
        """Everything from everywhere is the same."""
        aad = "some text"
        for name, content in (
            ("hex", KEY.hex().encode() + b"\n"),
            ("crlf", KEY.hex().upper().encode() + b"\r\n"),
            ("nonce", NONCE),
            ("nonce.hex", NONCE.hex().encode() + b"\n"),
            ("aad", aad.encode()),
        ):
            self.write(name, content)
        env = {"THE_KEY": KEY.hex(), "THE_NONCE": NONCE.hex()}
        keys = (("-k", "key"), ("--key-file=hex",), ("-kcrlf",), ("--key-env", "THE_KEY"), ("--key-hex", KEY.hex()))
        nonces = (
            ("-n", NONCE.hex()),
            ("--nonce-hex", NONCE.hex().upper()),
            ("--nonce-file", "nonce"),
            ("--nonce-file", "nonce.hex"),
            ("--nonce-env", "THE_NONCE"),
        )
        aads = (("-a", aad), ("--aad", aad), ("--aad-hex", aad.encode().hex()), ("--aad-file", "aad"))
        expected = self.vg("seal", *keys[0], *nonces[0], *aads[0], text=b"text")
        self.assertEqual(expected, Libcrypto().seal(KEY, NONCE, aad.encode(), b"text"))
        for choice in range(5):
            words = (*keys[choice], *nonces[choice], *aads[choice % 4])
            self.assertEqual(self.vg("seal", *words, env=env, text=b"text"), expected, words)
            self.assertEqual(self.vg("open", *words, env=env, text=expected), b"text", words)

    def test_long_nonce(self):
        self.need("VG_ANY_NONCE")
        words = ("-k", "key", "--nonce-hex", "ab" * 4096)
        self.assertEqual(self.vg("open", *words, text=self.vg("seal", *words, text=b"text")), b"text")

    def test_empty_aad(self):
        self.write("none", b"")
        expected = self.vg("seal", "-k", "key", "-n", NONCE.hex())
        for words in (("-a", ""), ("--aad-hex", ""), ("--aad-file", "none")):
            self.assertEqual(self.vg("seal", "-k", "key", "-n", NONCE.hex(), *words), expected)

    def test_long_aad(self):
        aad = os.urandom((1 << 19) + 7)
        self.write("aad", aad)
        sealed = self.vg("seal", "-k", "key", "-n", NONCE.hex(), "--aad-file", "aad", text=b"text")
        self.assertEqual(sealed, Libcrypto().seal(KEY, NONCE, aad, b"text"))

    def test_constant_memory(self):
        with open(os.path.join(self.folder, "build.ninja"), encoding="utf-8") as file:
            if "-fsanitize" in file.read():
                self.skipTest("sanitizers take memory without end")
        self.write("text", os.urandom(1 << 16) * 512)
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (24 << 20, 24 << 20))}
        self.vg("seal", "-k", "key", "text", "sealed", **limit)
        self.vg("open", "-k", "key", "sealed", "opened", **limit)
        self.assertEqual(self.read("opened"), self.read("text"))
        self.assertEqual(self.vg("open", "-k", "key", "sealed", **limit), self.read("text"))


class Forgeries(Tool):
    def setUp(self):
        super().setUp()
        self.need("VG_STREAM", "VG_OPEN", "VG_AES256")

    def test_every_part(self):
        for n in (0, 5, 100000, LONGER_THAN_MEMORY):
            sealed = self.vg("seal", "-k", "key", "-a", "aad", text=bytes(n))
            for at in {0, 11, 12, 12 + n // 2, n + 11, n + 12, n + 27}:
                forged = bytearray(sealed)
                forged[at] ^= 1
                self.write("forged", forged)
                words = ("open", "-k", "key", "-a", "aad", "forged")
                self.refused("the tag is wrong", *words, "opened", status=2)
                self.refused("the tag is wrong", *words, status=2)
            self.write("sealed", sealed)
            self.write("other", KEY[::-1])
            self.refused("the tag is wrong", "open", "-k", "key", "-a", "aae", "sealed", "opened", status=2)
            self.refused("the tag is wrong", "open", "-k", "key", "sealed", "opened", status=2)
            self.refused("the tag is wrong", "open", "-k", "other", "-a", "aad", "sealed", "opened", status=2)
            self.refused("the tag is wrong", "open", "-k", "key", "-a", "aad", status=2, text=sealed + b"x")
            if n:
                self.refused("the tag is wrong", "open", "-k", "key", "-a", "aad", status=2, text=sealed[:-1])

    def test_given_nonce(self):
        sealed = self.vg("seal", "-k", "key", "-n", NONCE.hex(), text=b"text")
        self.refused("the tag is wrong", "open", "-k", "key", "-n", NONCE[::-1].hex(), status=2, text=sealed)
        self.refused("the tag is wrong", "open", "-k", "key", status=2, text=sealed + bytes(16))

    def test_existing_output(self):
        sealed = self.vg("seal", "-k", "key", text=b"text")
        self.write("sealed", sealed[:-1] + bytes([sealed[-1] ^ 1]))
        self.write("opened", b"before")
        self.refused("the tag is wrong", "open", "-f", "-k", "key", "sealed", "opened", status=2)
        self.assertEqual(self.read("opened"), b"before")
        self.refused("the tag is wrong", "open", "-f", "-k", "key", "sealed", "sealed", status=2)
        self.assertEqual(self.read("sealed"), sealed[:-1] + bytes([sealed[-1] ^ 1]))

    def test_nothing_before_the_tag(self):
        sealed = self.vg("seal", "-k", "key", text=bytes(LONGER_THAN_MEMORY))
        process = self.start("open", "-k", "key")
        writer = threading.Thread(target=process.stdin.write, args=(sealed[:-1],), daemon=True)
        writer.start()
        self.assertEqual(select.select([process.stdout], [], [], 1)[0], [])
        writer.join(60)
        self.assertEqual(process.communicate(sealed[-1:], timeout=60), (bytes(LONGER_THAN_MEMORY), b""))

    def test_no_name_before_the_tag(self):
        sealed = self.vg("seal", "-k", "key", text=bytes(LONGER_THAN_MEMORY))
        process = self.start("open", "-k", "key", "-o", "opened")
        process.stdin.write(sealed[:-1])
        process.stdin.flush()
        name = self.wait_for_temporary(process, 1 << 20)
        self.assertEqual(self.files(), [name, "key"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), 0o600)
        self.assertEqual(process.communicate(sealed[-1:]), (b"", b""))
        self.assertEqual(self.files(), ["key", "opened"])

    def test_cut_off(self):
        sealed = self.vg("seal", "-k", "key")
        for n in range(28):
            self.refused(f"standard input is cut off: {n} bytes", "open", "-k", "key", text=sealed[:n])
        for n in range(16):
            self.refused(f"cut off: {n} bytes", "open", "-k", "key", "-n", NONCE.hex(), "-o", "out", text=bytes(n))


class Outputs(Tool):
    def setUp(self):
        super().setUp()
        self.need("VG_STREAM", "VG_OPEN", "VG_AES256")
        self.write("text", b"the text")

    def test_existing(self):
        self.write("sealed", b"before")
        self.refused("sealed exists already.*--force", "seal", "-k", "key", "text", "sealed")
        self.assertEqual(self.read("sealed"), b"before")
        os.chmod(self.path("sealed"), 0o640)
        self.vg("seal", "--force", "-k", "key", "text", "sealed")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("sealed")).st_mode), 0o640)
        self.assertEqual(self.vg("open", "-k", "key", "sealed"), b"the text")

    def test_appears_meanwhile(self):
        process = self.start("seal", "-k", "key", "-o", "sealed")
        process.stdin.write(bytes(1 << 20))
        process.stdin.flush()
        self.wait_for_temporary(process, 1)
        self.write("sealed", b"another's")
        self.assertRegex(process.communicate()[1], b"\\Avg: seal: cannot write to sealed: File exists\n\\Z")
        self.assertEqual(process.returncode, 1)
        self.assertEqual((self.read("sealed"), self.files()), (b"another's", ["key", "sealed", "text"]))

    def test_mode_and_folder(self):
        os.mkdir(self.path("folder"))
        self.vg("seal", "-k", "key", "text", "-o", "folder/sealed", umask=0o027)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("folder/sealed")).st_mode), 0o640)
        self.assertEqual(os.listdir(self.path("folder")), ["sealed"])

    def test_link(self):
        os.mkdir(self.path("folder"))
        self.write("folder/target", b"before")
        os.symlink("folder/target", self.path("link"))
        self.refused("link exists already", "seal", "-k", "key", "text", "link")
        self.vg("seal", "-f", "-k", "key", "text", "link")
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(self.vg("open", "-k", "key", "folder/target"), b"the text")

    def test_in_place(self):
        self.write("text", b"x" * LONGER_THAN_MEMORY)
        self.refused("text exists already", "seal", "-k", "key", "text", "text")
        self.vg("seal", "-f", "-k", "key", "text", "text")
        self.assertEqual(len(self.read("text")), LONGER_THAN_MEMORY + 28)
        self.vg("open", "-f", "-k", "key", "text", "text")
        self.assertEqual(self.read("text"), b"x" * LONGER_THAN_MEMORY)
        with open(self.path("text"), "rb") as source, open(self.path("text"), "ab") as target:
            done = self.run_tool("seal", "-k", "key", stdin=source, stdout=target)
        self.assertEqual((done.returncode, done.stderr[:42]), (1, b"vg: seal: standard output is the input fil"))
        self.assertEqual(self.read("text"), b"x" * LONGER_THAN_MEMORY)

    def test_standard_output_is_a_file(self):
        with open(self.path("sealed"), "wb") as file:
            self.vg("seal", "-k", "key", "text", stdout=file)
        self.assertEqual(self.vg("open", "-k", "key", "sealed"), b"the text")

    def test_input_begun_already(self):
        with open(self.path("text"), "rb") as file:
            os.lseek(file.fileno(), 4, os.SEEK_SET)
            self.assertEqual(self.vg("open", "-k", "key", text=self.vg("seal", "-k", "key", stdin=file)), b"text")

    def test_full_device(self):
        self.write("sealed", self.vg("seal", "-k", "key", "text"))
        for words in (("seal", "-k", "key", "text"), ("open", "-k", "key", "sealed")):
            self.refused("cannot write to /dev/full: No space left", *words, "/dev/full")
            with open("/dev/full", "wb") as full:
                self.refused("cannot write to standard output: No space left", *words, stdout=full)

    def test_closed_pipe(self):
        for words in (("seal", "-k", "key"), ("open", "-k", "key")):
            process = self.start(*words)
            process.stdout.close()
            text = bytes(1 << 20) if words[0] == "seal" else self.vg("seal", "-k", "key", text=bytes(1 << 20))
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(text)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            self.assertEqual(process.wait(60), 1)
            expected = f"vg: {words[0]}: cannot write to standard output: its reader has gone\n"
            self.assertEqual(process.stderr.read().decode(), expected)

    def test_file_size_limit(self):
        self.write("long", bytes(1 << 20))
        limit = {"preexec_fn": lambda: limit_files(1 << 16)}
        self.refused("cannot write to sealed: File too large", "seal", "-k", "key", "long", "sealed", **limit)

    def test_spool(self):
        short, long = (self.vg("seal", "-k", "key", text=bytes(n)) for n in (1 << 19, LONGER_THAN_MEMORY))
        nowhere = {"TMPDIR": self.path("nowhere")}
        self.assertEqual(self.vg("open", "-k", "key", text=short, env=nowhere), bytes(1 << 19))
        self.refused("nowhere .TMPDIR.: No such file", "open", "-k", "key", text=long, env=nowhere)
        os.mkdir(self.path("tmp"))
        inside = {"TMPDIR": self.path("tmp")}
        self.assertEqual(self.vg("open", "-k", "key", text=long, env=inside), bytes(LONGER_THAN_MEMORY))
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            for command in ("seal", "open"):
                process = self.start(command, "-k", "key", "-o", "out")
                process.stdin.write(bytes(1 << 20))
                process.stdin.flush()
                self.wait_for_temporary(process, 1)
                process.send_signal(number)
                self.assertEqual(process.wait(60), -number)
                self.assertEqual(self.files(), ["key", "text"])

    def test_lengths_over_the_limit(self):
        with open(self.path("long"), "wb") as file:
            file.truncate(TEXT_MAX + 1)
        self.refused("long is too long: .*68719476704", "seal", "-k", "key", "long", "out")
        with open(self.path("long"), "wb") as file:
            file.truncate(TEXT_MAX + 28 + 1)
        self.refused("long is too long: .*68719476704", "open", "-k", "key", "long", "out")
        for command, around in (("seal", 0), ("open", 28)):
            with open(self.path("long"), "wb") as file:
                file.truncate(TEXT_MAX + around)
            process = self.start(command, "-k", "key", "long", "out")
            self.wait_for_temporary(process, 1)
            process.terminate()
            process.wait(60)


class Mistakes(Tool):
    def setUp(self):
        super().setUp()
        self.need("VG_STREAM", "VG_OPEN", "VG_AES256")

    def test_words(self):
        self.refused('there is no command "frob"', "frob")
        self.refused("there is no option --frob", "seal", "--frob")
        self.refused("there is no option -x", "seal", "-x")
        self.refused("there is no option -x", "open", "-qx", "-k", "key")
        self.refused("there is no option --key;", "open", "--key", "key")
        self.refused("--key-file wants a value", "seal", "--key-file")
        self.refused("--key-file wants a value", "seal", "-k")
        self.refused("there is no option --no", "seal", "in", "--no", "out")
        self.refused("--quiet takes no value", "seal", "--quiet=yes")
        self.refused("one input and one output", "seal", "-k", "key", "a", "b", "c")
        self.refused("one input and one output", "seal", "-k", "key", "-o", "a", "b", "c")
        self.refused("takes options only", "info", "frob")
        done = self.run_tool()
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr, self.vg("--help"))

    def test_keys(self):
        for command in ("seal", "open"):
            self.refused("a key is missing; give --key-file", command)
            self.refused("the key is given twice", command, "-k", "key", "--key-hex", KEY.hex())
            self.refused("cannot read the key file: No such file", command, "-k", "nowhere")
            self.refused("cannot read the key file: Is a directory", command, "-k", "/")
            self.refused("--key-env names is not set", command, "--key-env", "NOWHERE")
            self.refused("the key is empty", command, "--key-env", "EMPTY", env={"EMPTY": ""})
            self.refused("the key is not hex", command, "--key-hex", "xy" * 16)
            self.refused("the key has an odd number", command, "--key-hex", KEY.hex()[1:])
            self.refused("the key has 15 bytes; this build takes", command, "--key-hex", KEY[:15].hex())
            self.refused("the key is too long: 32", command, "--key-hex", KEY.hex() + "00")
        for content, pattern in (
            (b"", "the key file is empty"),
            (KEY[:31], "the key has 31 bytes"),
            (KEY + b"1", "the key file is too long"),
            (bytes(1 << 20), "the key file is too long"),
            (KEY[:16].hex().encode(), "could be 32 bytes or 16 in hex"),
            (KEY.hex().encode()[1:] + b"\n", "odd number"),
        ):
            self.write("wrong", content)
            self.refused(pattern, "seal", "-k", "wrong")

    def test_nonces_and_aad(self):
        self.refused("the nonce is given twice", "seal", "-k", "key", "-n", "00", "--nonce-file", "key")
        self.refused("the nonce is not hex", "seal", "-k", "key", "-n", "0x00")
        self.refused("the nonce is empty", "seal", "-k", "key", "-n", "")
        self.refused("the nonce is too long: 4096", "seal", "-k", "key", "-n", "00" * 4097)
        self.refused("cannot read the nonce file", "seal", "-k", "key", "--nonce-file", "nowhere")
        self.write("long", bytes(4097))
        self.refused("the nonce file is too long: 4096", "seal", "-k", "key", "--nonce-file", "long")
        self.refused("the AAD is given twice", "seal", "-k", "key", "-a", "", "--aad-hex", "00")
        self.refused("the AAD is not hex", "seal", "-k", "key", "--aad-hex", "zz")
        self.refused("the AAD has an odd number", "seal", "-k", "key", "--aad-hex", "000")
        self.refused("cannot read nowhere", "seal", "-k", "key", "--aad-file", "nowhere")

    def test_files(self):
        self.refused("cannot read nowhere: No such file", "seal", "-k", "key", "nowhere", "out")
        self.refused("cannot read /: Is a directory", "seal", "-k", "key", "/", "out")
        self.refused("cannot write to nowhere/out: No such file", "seal", "-k", "key", "key", "nowhere/out")
        self.refused("cannot write to key/out: Not a directory", "seal", "-k", "key", "key", "key/out")
        self.refused("cannot write to /: Is a directory", "seal", "-k", "key", "key", "/")
        self.refused("cannot write to x+: File ?name too long", "seal", "-k", "key", "key", "x" * 5000)
        if os.geteuid() == 0:
            pattern = "cannot read /proc/self/mem: (Input/output|I/O) error"
            self.refused(pattern, "seal", "-k", "key", "/proc/self/mem", "out")

    def test_terminal_as_output(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        with os.fdopen(theirs, "wb") as terminal:
            self.refused("the output is binary, and this is a terminal", "seal", "-k", "key", stdout=terminal)

    def test_messages_keep_secrets(self):
        secret = KEY.hex()
        for words in (
            ("seal", f"--keyhex={secret}"),
            ("seal", "-k", secret),
            ("seal", "--key-env", secret),
            ("seal", "--key-hex", secret + "x"),
            ("seal", "--key-hex", "key", secret, secret, secret),
            ("seal", f"--quiet={secret}"),
        ):
            self.assertNotIn(secret[2:30], self.refused(".", *words))

    def test_others_cannot_see_the_key(self):
        for words in (("--key-hex", KEY.hex()), (f"--key-hex={KEY.hex()}",), ("--key-env", "THE_KEY")):
            env = {**os.environ, "THE_KEY": KEY.hex()}
            process = self.start("seal", *words, "-o", "out", env=env if "THE_KEY" in words else os.environ)
            self.wait_for_temporary(process)
            for name in ("cmdline", "environ"):
                with open(f"/proc/{process.pid}/{name}", "rb") as file:
                    self.assertNotIn(KEY.hex().encode(), file.read(), name)
            process.kill()
            process.wait()
            for name in self.files():
                os.unlink(self.path(name))


class Progress(Tool):
    def setUp(self):
        super().setUp()
        self.need("VG_STREAM", "VG_OPEN", "VG_AES256")
        self.write("text", bytes(1 << 22))

    def on_terminal(self, *words: str, status: int = 0, **more) -> str:
        """What appears on a terminal."""
        ours, theirs = pty.openpty()
        command = [os.path.join(self.folder, "vg"), *words]
        done = subprocess.run(command, stderr=theirs, **{"stdout": subprocess.PIPE, **self.options({}), **more})
        os.close(theirs)
        seen = self.all_of(ours)
        os.close(ours)
        self.assertEqual(done.returncode, status, seen)
        return seen

    @staticmethod
    def all_of(terminal: int) -> str:
        """What was written to the other end, which is closed."""
        seen = b""
        try:
            while part := os.read(terminal, 65536):
                seen += part
        except OSError:  # nothing more
            pass
        return seen.decode()

    def test_known_size(self):
        end = r"\r\x1b\[K\[={40}\] 100% 4\.2 MB \d+\.\d MB/s\r\n\Z"
        self.assertRegex(self.on_terminal("seal", "-k", "key", "text", "sealed"), end)
        self.assertRegex(self.on_terminal("open", "-k", "key", "sealed", "opened"), end)
        self.assertEqual(self.read("opened"), self.read("text"))

    def test_the_rest_of_a_file(self):
        with open(self.path("text"), "rb") as file:
            os.lseek(file.fileno(), 1 << 21, os.SEEK_SET)
            self.assertIn("100% 2.1 MB ", self.on_terminal("seal", "-k", "key", stdin=file))

    def test_on_the_way(self):
        """Drawn while the input still flows, more than once."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = self.start("seal", "-k", "key", "-o", "sealed", stderr=theirs)
        os.close(theirs)
        seen = ""
        for _ in range(5):
            time.sleep(0.12)
            process.stdin.write(bytes(1 << 18))
            process.stdin.flush()
            wait = 1.0
            while select.select([ours], [], [], wait)[0]:
                seen += os.read(ours, 65536).decode()
                wait = 0.05  # for the rest of what is written in parts
        self.assertRegex(seen, r"\A(\r\x1b\[K\d\.\d MB \d+\.\d MB/s){2,}\Z")

    def test_unknown_size(self):
        text = {"input": bytes(1 << 22)}
        self.assertRegex(self.on_terminal("seal", "-k", "key", **text), r"\A(\r\x1b\[K4\.2 MB \d+\.\d MB/s)+\r\n\Z")

    def test_none(self):
        self.assertEqual(self.on_terminal("seal", "-q", "-k", "key", "text"), "")
        self.assertEqual(self.run_tool("seal", "-k", "key", "text").stderr, b"")

    def test_message(self):
        """It takes the place of a bar that was drawn."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        process = self.start("open", "-k", "key", "-o", "opened", stderr=theirs)
        os.close(theirs)
        for _ in range(3):
            process.stdin.write(bytes(1 << 18))
            process.stdin.flush()
            time.sleep(0.12)
        process.stdin.close()
        self.assertEqual(process.wait(60), 2)
        seen = self.all_of(ours)
        self.assertRegex(seen, r"\A(\r\x1b\[K\d\.\d MB \d+\.\d MB/s)+\r\x1b\[Kvg: open: the tag is wrong[^\r\n]*\r\n\Z")


class Facts(Tool):
    def info(self, **env: str) -> dict:
        done = self.run_tool("info", "--json", env=env)
        self.assertEqual(done.stderr, b"")
        facts = json.loads(done.stdout)
        chosen = [variant["name"] for variant in facts["variants"] if variant["chosen"]]
        self.assertEqual((done.returncode, len(chosen)), (1, 0) if facts["refused"] else (0, 1))
        return {**facts, "chosen": chosen[0] if chosen else None}

    def test_features(self):
        facts = self.info()
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = re.search(r"^flags\s*: (.*)$", file.read(), re.M)[1].split()
        names = "ssse3 aes pclmulqdq avx avx2 vaes vpclmulqdq avx512f avx512bw avx512vl".split()
        self.assertEqual(facts["cpu_features"], [name for name in names if name in flags])
        self.assertEqual((facts["features_in_use"], facts["request"]), (facts["cpu_features"], None))

    def test_text(self):
        facts, text = self.info(), self.vg("info").decode()
        self.assertRegex(text, rf"(?m)^  {facts['chosen']} +chosen$")
        for name in (*facts["cpu_features"], facts["configuration"], *(v["name"] for v in facts["variants"])):
            self.assertIn(name, text)
        self.assertIn(f"key context      {facts['key_context_len']} bytes\n", text)
        self.assertIn(f"libvg.a, {os.path.getsize(os.path.join(self.folder, 'libvg.a'))} bytes", text)

    def test_sizes_and_configuration(self):
        facts = self.info()
        self.assertEqual(facts["archive_len"], os.path.getsize(os.path.join(self.folder, "libvg.a")))
        self.assertGreaterEqual(facts["key_context_len"], 16 * 12)
        with open(os.path.join(self.folder, "include/vg/config.h"), encoding="utf-8") as file:
            text = re.search(r'^#define VG_CONFIG_STRING (".*")$', file.read(), re.M)[1]
        self.assertEqual(facts["configuration"], json.loads(text))

    def test_missing_features(self):
        for variant in self.info()["variants"]:
            self.assertFalse(set(variant["missing"]) - set(variant["needs"]))
            self.assertEqual(variant["withheld"], [])

    def test_requests(self):
        self.need("VG_CPU_FEATURES")
        have = self.info()["cpu_features"]
        none = self.info(VG_CPU_FEATURES="none")
        self.assertEqual((none["features_in_use"], none["chosen"]), ([], "portable"))
        self.assertEqual(none["cpu_features"], have)
        for variant in none["variants"]:
            self.assertEqual(set(variant["withheld"]), set(variant["needs"]) & set(have), variant)
        self.assertEqual(self.info(VG_CPU_FEATURES="")["features_in_use"], have)
        self.assertEqual(self.info(VG_CPU_FEATURES="ssse3")["features_in_use"], ["ssse3"])
        self.assertIn(b"in use: ssse3\n", self.vg("info", env={"VG_CPU_FEATURES": "ssse3"}))
        text = self.vg("info", env={"VG_CPU_FEATURES": "none"}).decode()
        for variant in none["variants"]:
            if variant["withheld"]:
                reason = f"{' '.join(variant['withheld'])} withheld by VG_CPU_FEATURES"
                self.assertRegex(text, rf"(?m)^  {variant['name']} +no: (.*; )?{reason}$")

    def test_refused_requests(self):
        self.need("VG_CPU_FEATURES")
        cases = [
            ("ssse3 frob", 'there is no feature "frob"; the words are none ssse3 .* avx512vl'),
            ('ssse3,f"r\\ob', 'there is no feature "f"r.ob"'),
            ("ssse3 none", "none stands alone"),
            ("none ssse3", "ssse3 and none exclude each other"),
        ]
        have = self.info()["cpu_features"]
        lacks = [name for name in ("avx512f", "vaes", "avx2", "avx", "aes") if name not in have]
        cases += [(f"ssse3 {name}", f"this CPU or its OS has no {name}") for name in lacks]
        for request, pattern in cases:
            facts = self.info(VG_CPU_FEATURES=request)
            self.assertEqual(facts["request"], request)
            self.assertRegex(facts["refused"], pattern)
            env = {"VG_CPU_FEATURES": request}
            self.assertRegex(self.run_tool("info", env=env).stdout.decode(), f"VG_CPU_FEATURES  refused: .*{pattern}")
            commands = [["speed"]]
            commands += [["selftest"]] if self.config("VG_SELF_TEST") else []
            commands += [["seal", "-k", "key"]] if self.config("VG_STREAM") and self.config("VG_AES256") else []
            for words in commands:
                self.refused(f"VG_CPU_FEATURES: .*{pattern}", *words, env=env)
        if not lacks:
            self.skipTest("this CPU has every feature that there is: none to ask for in vain")

    def test_self_test(self):
        self.need("VG_SELF_TEST")
        line = rf"\Aself-test passed on (\w+ )*{self.info()['chosen']}( \w+)*\n\Z"
        self.assertRegex(self.vg("selftest").decode(), line)

    def test_version(self):
        with open(os.path.join(self.folder, "include/vg/config.h"), encoding="utf-8") as file:
            name = re.search(r"^#define VG_CONFIG_SYMBOL (\w+)$", file.read(), re.M)[1]
        self.assertEqual(self.vg("--version").decode(), f"vg 0, {name}\n")

    def test_help(self):
        self.assertEqual(self.vg("--help"), self.vg("-h"))
        for command in ("info", "selftest", "seal", "open", "speed"):
            self.assertIn(f"  {command} ", self.vg("--help").decode())
            text = self.vg(command, "--help").decode()
            self.assertTrue(text.startswith(f"usage: vg {command}"))
            self.assertLessEqual(max(map(len, text.splitlines())), 95)
            source = {"seal": "seal_open", "open": "seal_open"}.get(command, command)
            with open(os.path.join(HERE, f"tools/vg/{source}.c"), encoding="utf-8") as file:
                options = re.findall(r'\{"([a-z-]+)", (?:no|required)_argument', file.read())
            self.assertIn("help", options)
            for option in options:
                self.assertTrue(f"--{option}" in text or option == "help", (command, option))

    def test_full_device(self):
        commands = [("--help",), ("--version",), ("info",), ("info", "-j"), ("seal", "--help"), ("speed", "-s0.01")]
        for words in commands + ([("selftest",)] if self.config("VG_SELF_TEST") else []):
            with open("/dev/full", "wb") as full:
                self.refused("cannot write to standard output: No space left", *words, stdout=full)


class Speed(Tool):
    def speed(self, *words: str, **env: str) -> dict:
        return json.loads(self.vg("speed", "--json", "-s", "0.05", *words, env=env))

    def test_numbers(self):
        for bits in (128, 192, 256):
            if self.config(f"VG_AES{bits}"):
                result = self.speed("--key-bits", str(bits), "--size", "1000,64", "-z", "1")
                self.assertEqual(result["key_bits"], bits)
                self.assertEqual([row["size"] for row in result["results"]], [1000, 64, 1])
                for row in result["results"]:
                    self.assertEqual("open" in row, self.config("VG_OPEN"))
                    for name in {"seal", "open"} & set(row):
                        speed = row[name]
                        self.assertAlmostEqual(speed["mb_per_s"] * speed["ns"] / 1e3 / row["size"], 1, delta=0.2)
                        self.assertGreater(speed["cycles_per_byte"], 0)
            else:
                self.refused(f"this build has no keys of {bits} bits", "speed", "-b", str(bits))

    def test_table(self):
        lines = self.vg("speed", "--seconds", "0.05").decode().splitlines()
        self.assertRegex(lines[0], r"^AES-\d+-GCM on \w+$")
        self.assertEqual([int(line.split()[0]) for line in lines[2:]], [64, 256, 1024, 1420, 8192, 16384])
        self.assertEqual({len(line.split()) for line in lines[2:]}, {7 if self.config("VG_OPEN") else 4})

    def test_other_variant(self):
        self.need("VG_CPU_FEATURES")
        self.assertEqual(self.speed("-z", "64", VG_CPU_FEATURES="none")["variant"], "portable")

    def test_time(self):
        started = time.monotonic()
        self.vg("speed", "-s", "0.5", "-z", "64")
        self.assertGreater(time.monotonic() - started, 0.45)

    def test_mistakes(self):
        self.refused("--seconds wants a number from", "speed", "-s", "nan")
        self.refused("--seconds wants a number from", "speed", "-s", "0")
        self.refused("--seconds wants a number from", "speed", "-s", "1x")
        self.refused("--size wants a number from 1 to", "speed", "--size", "0")
        self.refused("--size wants a number from 1 to", "speed", "--size", "64,x")
        self.refused("--size wants a number from 1 to", "speed", "--size", "-1")
        self.refused("--size wants a number from 1 to", "speed", "--size", "99999999999999999999")
        self.refused("takes 32 sizes at most", "speed", "--size", ",".join(["1"] * 33))
        self.refused("this build has no keys of 129 bits", "speed", "-b", "129")


class LeftOut(Tool):
    def without(self, *names: str) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = build(place.name, *(word for name in names for word in ("--set", f"{name}=n")))

    def test_streams_and_self_test(self):
        self.without("VG_STREAM", "VG_SELF_TEST", "VG_CPU_FEATURES", "VG_AES128")
        for command in ("seal", "open"):
            self.refused("leaves streams out; configure it with VG_STREAM=y", command, "-k", "key", text=bytes(40))
        self.refused("leaves the self-test out; configure it with VG_SELF_TEST=y", "selftest")
        self.assertIn(b"this build does not read it", self.vg("info", env={"VG_CPU_FEATURES": "frob"}))
        self.assertIn(b"AES-192-GCM", self.vg("speed", "-s0.01"))
        self.assertNotIn(b"stream context", self.vg("info"))

    def test_open_and_nonces(self):
        self.without("VG_OPEN", "VG_ANY_NONCE", "VG_AES192")
        self.refused("leaves decryption out; configure it with VG_OPEN=y", "open", "-k", "key", text=bytes(40))
        self.refused("the nonce has 11 bytes; this build takes 12", "seal", "-k", "key", "-n", NONCE[:11].hex())
        self.refused("24 bytes; this build takes 16 32 ", "seal", "--key-hex", KEY[:24].hex())
        sealed = self.vg("seal", "-k", "key", "-n", NONCE.hex(), text=b"text")
        self.assertEqual(sealed, Libcrypto().seal(KEY, NONCE, b"", b"text"))
        self.assertNotIn(b"open ns", self.vg("speed", "-s0.01"))


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):
        Tool.folder = os.path.abspath(sys.argv.pop(1))
        unittest.main()
    with tempfile.TemporaryDirectory() as own:
        Tool.folder = build(own)
        unittest.main()
