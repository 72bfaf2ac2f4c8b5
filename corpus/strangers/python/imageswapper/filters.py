"""The JMESPath filters that leave a container alone: a == 'b' and contains(a, 'b'), joined by &&."""
import re

EQUALS = re.compile(r"^\s*([\w.]+)\s*(==|!=)\s*'([^']*)'\s*$")
CONTAINS = re.compile(r"^\s*contains\(\s*([\w.]+)\s*,\s*'([^']*)'\s*\)\s*$")


def matches(filters: list, context: dict) -> bool:
    return any(all(holds(part, context) for part in one.split("&&")) for one in filters)


def holds(expression: str, context: dict) -> bool:
    if found := EQUALS.match(expression):
        path, operator, wanted = found.groups()
        return (search(path, context) == wanted) == (operator == "==")
    if found := CONTAINS.match(expression):
        path, wanted = found.groups()
        subject = search(path, context)
        return subject is not None and wanted in subject
    return False


def search(path: str, context):
    for step in path.split("."):
        if not isinstance(context, dict):
            return None
        context = context.get(step)
    return context
