"""Native cpu and memory of Pods of the lower priorities become what Koordinator reclaims for them."""
from decimal import ROUND_CEILING, Decimal

RANGES = {"koord-mid": (7000, 7999), "koord-batch": (5000, 5999), "koord-free": (3000, 3999)}
EXTENDED = {
    "koord-batch": {"cpu": "kubernetes.io/batch-cpu", "memory": "kubernetes.io/batch-memory"},
    "koord-mid": {"cpu": "kubernetes.io/mid-cpu", "memory": "kubernetes.io/mid-memory"},
}
LABEL_PRIORITY_CLASS = "koordinator.sh/priority-class"
SUFFIXES = {"n": "1e-9", "u": "1e-6", "m": "1e-3", "": "1", "k": "1e3", "M": "1e6", "G": "1e9", "T": "1e12"}


class ResourceSpec:
    def __init__(self, restrict: bool) -> None:
        # restrict: requests and limits of the extended resources are made to come in pairs.
        self._restrict = restrict

    def mutate(self, pod: dict) -> None:
        names = EXTENDED.get(priority_class_of(pod))
        if names is None:
            return
        spec = pod["spec"]
        for container in (spec.get("initContainers") or []) + (spec.get("containers") or []):
            resources = container.get("resources") or {}
            # A list that the Pod does not have is a nil map: reading it finds nothing.
            requests, limits = resources.get("requests"), resources.get("limits")
            for native, extended in names.items():
                replace_and_erase(requests, native, extended)
                replace_and_erase(limits, native, extended)
            if self._restrict:
                for extended in names.values():
                    restrict(requests, limits, extended)
        if spec.get("overhead"):
            for native, extended in names.items():
                replace_and_erase(spec["overhead"], native, extended)


def priority_class_of(pod: dict) -> str | None:
    labels = (pod.get("metadata") or {}).get("labels") or {}
    if LABEL_PRIORITY_CLASS in labels:
        return labels[LABEL_PRIORITY_CLASS]
    priority = pod["spec"].get("priority")
    if priority is None:
        return None
    return next((name for name, (low, high) in RANGES.items() if low <= priority <= high), None)


def replace_and_erase(listed: dict | None, native: str, extended: str) -> None:
    if listed is None or native not in listed:
        return
    quantity = listed.pop(native)
    listed[extended] = milli(quantity) if native == "cpu" else quantity


def milli(quantity) -> str:
    text = str(quantity)
    digits = text.rstrip("numkMGT")
    value = Decimal(digits) * Decimal(SUFFIXES[text[len(digits):]]) * 1000
    return str(value.to_integral_value(ROUND_CEILING))


def restrict(requests: dict | None, limits: dict | None, extended: str) -> None:
    requested, limited = value(requests, extended), value(limits, extended)
    if requested is not None and limited is None:
        limits[extended] = requested
    elif requested is None and limited is not None:
        requests[extended] = limited


def value(listed: dict | None, extended: str):
    return None if listed is None else listed.get(extended)
