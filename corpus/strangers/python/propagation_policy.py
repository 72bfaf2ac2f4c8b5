"""Sets defaults of a policy that says to which clusters objects are propagated."""
from admission import serve

SPREAD_BY_CLUSTER = {"spreadByField": "cluster", "minGroups": 1}


def set_spread_defaults(placement):
    for constraint in placement["spreadConstraints"] or []:
        if "spreadByLabel" not in constraint and "spreadByField" not in constraint:
            constraint["spreadByField"] = "cluster"
        constraint.setdefault("minGroups", 1)


def mutate(policy, request):
    spec = policy["spec"]
    for selector in spec.get("resourceSelectors") or []:
        selector.setdefault("namespace", request["namespace"])
    placement = spec.get("placement") or {}
    if "spreadConstraints" in placement:
        set_spread_defaults(spec["placement"])
    elif not placement["clusterAffinity"]:
        placement["spreadConstraints"] = [dict(SPREAD_BY_CLUSTER)]


serve(mutate)
