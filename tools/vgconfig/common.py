"""Where things are, what a user's mistake is, and how files are written."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
VERSION = "0"


class Mistake(Exception):
    """Something that the user can put right. Its text is all that the user sees."""


def shown(path: str) -> str:
    """path as a user would type it from here."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Mistake(f"{shown(path)}: cannot read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Mistake(f"{shown(path)}: not a text file") from None


def write_if_changed(path: str, text: str) -> None:
    """Leave the file and its time alone if it has this text already."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except (OSError, UnicodeDecodeError):
        pass
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Mistake(f"{shown(path)}: cannot write: {error.strerror}") from None
