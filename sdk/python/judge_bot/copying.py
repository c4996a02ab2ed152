"""Copies of objects. The judge's interpreter makes them at once, without a step for each attribute."""

try:
    from typing import Any
except ImportError:  # a small interpreter
    pass

try:
    from judge_host import copied
except ImportError:

    def copied(original: "Any") -> "Any":
        """An object of the same class with the same attributes."""
        made = object.__new__(type(original))
        for name in original.__dict__:
            setattr(made, name, getattr(original, name))
        return made
