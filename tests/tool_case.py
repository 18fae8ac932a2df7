"""What the tests of the command-line tool stand on."""

import contextlib
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEY = bytes(range(1, 33))
NONCE = bytes(range(50, 62))


def limit_files(most: int = 1 << 26) -> None:
    """A tool that never ends must not fill the disk, nor outlive its test."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def build(folder: str, *options: str) -> str:
    quick = ("--cflags", "-O1")
    for command in (
        [os.path.join(HERE, "tools/configure"), "generic_x86_64", "-o", folder, *quick, *options],
        ["ninja", "-C", folder, "vg"],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}:\n{done.stdout}")
    return folder


class Libcrypto:
    """AES-GCM of somebody else."""

    def __init__(self):
        try:
            self.lib = ctypes.CDLL("libcrypto.so.3")
        except OSError as error:
            raise unittest.SkipTest(f"there is no other AES-GCM to compare with: {error}")
        for name in ("EVP_CIPHER_CTX_new", "EVP_aes_128_gcm", "EVP_aes_192_gcm", "EVP_aes_256_gcm"):
            getattr(self.lib, name).restype = ctypes.c_void_p

    def seal(self, key: bytes, nonce: bytes, aad: bytes, text: bytes) -> bytes:
        lib, out, done = self.lib, ctypes.create_string_buffer(len(text) + 16), ctypes.c_int()
        cipher = ctypes.c_void_p(getattr(lib, f"EVP_aes_{8 * len(key)}_gcm")())
        context = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new())
        tag = ctypes.create_string_buffer(16)
        good = (
            lib.EVP_EncryptInit_ex(context, cipher, None, None, None)
            and lib.EVP_CIPHER_CTX_ctrl(context, 9, len(nonce), None)
            and lib.EVP_EncryptInit_ex(context, None, None, key, nonce)
            and lib.EVP_EncryptUpdate(context, None, ctypes.byref(done), aad, len(aad))
            and lib.EVP_EncryptUpdate(context, out, ctypes.byref(done), text, len(text))
            and lib.EVP_EncryptFinal_ex(context, out, ctypes.byref(done))
            and lib.EVP_CIPHER_CTX_ctrl(context, 16, 16, tag)
        )
        lib.EVP_CIPHER_CTX_free(context)
        if not good:
            raise AssertionError("libcrypto refused")
        return out.raw[: len(text)] + tag.raw


class Tool(unittest.TestCase):
    folder = ""  # of the build

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.write("key", KEY)

    def config(self, name: str) -> bool:
        with open(os.path.join(self.folder, "include/vg/config.h"), encoding="utf-8") as file:
            return f"#define {name} 1\n" in file.read()

    def need(self, *names: str) -> None:
        for name in names:
            if not self.config(name):
                self.skipTest(f"{self.folder} is built without {name}")

    def path(self, name: str) -> str:
        return os.path.join(self.place, name)

    def write(self, name: str, content: bytes) -> None:
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name: str) -> bytes:
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self) -> list[str]:
        return sorted(os.listdir(self.place))

    def options(self, env: dict) -> dict:
        clean = {name: value for name, value in os.environ.items() if name not in ("VG_CPU_FEATURES", "TMPDIR")}
        return {"cwd": self.place, "env": {**clean, **env}, "preexec_fn": limit_files}

    def run_tool(self, *words: str, text: bytes = b"", env: dict = {}, **more) -> subprocess.CompletedProcess:
        more.setdefault("stdout", subprocess.PIPE)
        if "stdin" not in more:
            more["input"] = text
        command = [os.path.join(self.folder, "vg"), *words]
        return subprocess.run(command, stderr=subprocess.PIPE, timeout=60, **{**self.options(env), **more})

    def vg(self, *words: str, **more) -> bytes:
        """What a command prints that succeeds."""
        done = self.run_tool(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return done.stdout

    def refused(self, pattern: str, *words: str, status: int = 1, **more) -> str:
        """The one line of a command that fails, lets nothing out and leaves no file."""
        before = self.files()
        done = self.run_tool(*words, **more)
        line = done.stderr.decode()
        self.assertEqual(done.returncode, status, line)
        self.assertRegex(line, rf"\Avg: (?:{words[0]}: )?[^\n]*(?:{pattern})[^\n]*\n\Z")
        self.assertFalse(done.stdout)
        self.assertEqual(self.files(), before)
        return line

    def start(self, *words: str, **more) -> subprocess.Popen:
        pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        process = subprocess.Popen([os.path.join(self.folder, "vg"), *words], **{**pipes, **self.options({}), **more})
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process: subprocess.Popen) -> None:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def wait_for_temporary(self, process: subprocess.Popen, least: int = 0) -> str:
        """The temporary file that a running command writes, once it has some length."""
        for _ in range(1000):
            for name in self.files():
                if name.startswith(".vg-") and os.stat(self.path(name)).st_size >= least:
                    return name
            self.assertIsNone(process.poll(), "it ended too early")
            time.sleep(0.01)
        self.fail(f"no temporary file in {self.files()}")
