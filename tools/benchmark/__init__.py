"""The bench: builds and runs the measuring program, and turns what it prints into tables, pictures and verdicts."""


class Mistake(Exception):
    """Something that the user can put right. Its text is all that the user sees."""
