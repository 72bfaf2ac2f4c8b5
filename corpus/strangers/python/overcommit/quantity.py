"""Kubernetes quantities: exact values, and their canonical text."""
import re
from fractions import Fraction

DECIMAL = ["", "k", "M", "G", "T", "P", "E"]
BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
SCALES = {suffix: Fraction(1000) ** power for power, suffix in enumerate(DECIMAL)}
SCALES |= {suffix: Fraction(1024) ** power for power, suffix in enumerate(BINARY) if suffix}
SCALES |= {"m": Fraction(1, 1000), "u": Fraction(1, 10**6), "n": Fraction(1, 10**9)}
FORM = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([a-zA-Z]*))")


def parse(text):
    match = FORM.fullmatch(str(text))
    if match is None or (match[3] or "") not in SCALES:
        raise ValueError(f"quantities must match the regular expression: {text!r}")
    scale = Fraction(10) ** int(match[2]) if match[2] else SCALES[match[3] or ""]
    return Fraction(match[1]) * scale


def is_binary(text):
    return str(text).endswith("i")


def whole(value, binary):
    """Text of a whole number of bytes, with the greatest suffix that divides it."""
    suffixes, base = (BINARY, 1024) if binary else (DECIMAL, 1000)
    power = 0
    while value and value % base == 0 and power + 1 < len(suffixes):
        value, power = value // base, power + 1
    return f"{value}{suffixes[power]}"


def milli(value):
    """Text of a number of thousandths."""
    return whole(value // 1000, binary=False) if value % 1000 == 0 else f"{value}m"
