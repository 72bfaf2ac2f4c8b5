"""Spreads the replicas of an application over zones, unless its author has said how."""
from admission import serve

TOPOLOGY_KEY = "topology.kubernetes.io/zone"
APP_LABEL = "app.kubernetes.io/name"


def mutate(pod, request):
    app = (pod["metadata"].get("labels") or {}).get(APP_LABEL)
    if not app:
        return
    constraints = pod["spec"].get("topologySpreadConstraints") or []
    if any(constraint["topologyKey"] == TOPOLOGY_KEY for constraint in constraints):
        return
    pod["spec"]["topologySpreadConstraints"] = constraints + [{
        "topologyKey": TOPOLOGY_KEY,
        "maxSkew": 1,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {APP_LABEL: app}},
    }]


serve(mutate)
