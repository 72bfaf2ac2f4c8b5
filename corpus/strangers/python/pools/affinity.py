"""Node affinity that keeps a Pod on the nodes of its pool."""


def terms(pool):
    labels = pool["spec"].get("labels") or {}
    return [{"key": key, "operator": "In", "values": [value]} for key, value in sorted(labels.items())]


def node_affinity(affinity, pool):
    """The required terms of the Pod, each with what the pool demands."""
    demanded = terms(pool)
    required = ((affinity.get("nodeAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution") or {})
    old = required.get("nodeSelectorTerms") or [{}]
    merged = []
    for term in old:
        have = term.get("matchExpressions") or []
        merged.append(term | {"matchExpressions": have + [one for one in demanded if one not in have]})
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": merged}}
