"""Letters misread at random, as OCR misreads worn roman type; independent of the corrector's table."""

from __future__ import annotations

import random

LOOK_ALIKES: dict[str, tuple[str, ...]] = {
    "e": ("c", "o"), "c": ("e", "o"), "h": ("b", "li", "n"), "b": ("h",), "n": ("u", "ri", "ii"), "u": ("n", "ii"),
    "m": ("rn", "in", "ni"), "i": ("l", "1", "j", "t"), "l": ("1", "i", "I", "t"), "t": ("l", "i", "f", "r"),
    "r": ("t", "v", "i"), "f": ("t", "r"), "s": ("a", "8"), "a": ("o", "s", "n"), "o": ("c", "0", "e"),
    "d": ("cl", "a"), "g": ("q", "y"), "y": ("v", "j"), "v": ("y", "r"), "w": ("vv", "v"), "p": ("j)", "n"),
    "k": ("h", "lc"), "I": ("l", "1", "T"), "T": ("I", "f"), "H": ("II", "N"), "S": ("8", "s"), "D": ("I)", "O"),
}  # fmt: skip


def misread(text: str, share: float, seed: int) -> str:
    """A text with a share of its letters (0 to 1) misread."""
    noise = random.Random(seed)
    return "".join(noise.choice(LOOK_ALIKES[c]) if c in LOOK_ALIKES and noise.random() < share else c for c in text)
