"""Kubernetes quantities as exact numbers, and sizes rounded up to whole GiB."""
import re
from fractions import Fraction

SUFFIXES = {"": 1, "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000)}
SUFFIXES |= {suffix: 1000**power for power, suffix in enumerate("kMGTPE", 1)}
SUFFIXES |= {suffix + "i": 1024**power for power, suffix in enumerate("KMGTPE", 1)}
FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([a-zA-Z]*))")
GIB = 1 << 30


def parse(text):
    match = FORM.fullmatch(str(text).strip())
    if match is None or (match[3] or "") not in SUFFIXES:
        raise ValueError(f"unable to parse quantity {text!r}")
    scale = Fraction(10) ** int(match[2]) if match[2] else SUFFIXES[match[3] or ""]
    return Fraction(match[1]) * scale


def value(text):
    """In whole units, rounded up as Quantity.Value does."""
    return -(-parse(text) // 1)


def whole_gib(size):
    return -(-size // GIB) * GIB
