"""Keeps the traffic of Services in their zone where a label asks for it."""
from admission import Denied, serve

LABEL = "traffic.example.io/zone"
MODES = {"prefer": "PreferClose"}


def mutate(service, request):
    mode = (service["metadata"].get("labels") or {}).get(LABEL)
    spec = service.get("spec")
    if mode is None or spec is None or spec.get("type") == "ExternalName" or spec.get("clusterIP") == "None":
        return
    if mode not in MODES:
        raise Denied(f"label {LABEL}: expected one of {', '.join(MODES)}, found {mode!r}")
    if not spec.get("trafficDistribution"):
        spec["trafficDistribution"] = MODES[mode]


serve(mutate)
