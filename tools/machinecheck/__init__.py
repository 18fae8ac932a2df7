"""Checks that read the machine code of a built archive. README.md says what each one proves."""


class Mistake(Exception):
    """Something that the user can put right. Its text is all that the user sees."""
