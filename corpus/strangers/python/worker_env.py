"""Tells the containers of a cluster's workers which cluster they belong to."""
from admission import serve

VARIABLE = "CLUSTER_NAME"


def mutate(cluster, request):
    spec = cluster.get("spec") or {}
    for group in spec.get("workers") or []:
        template = group.get("template") or {}
        for container in (template.get("spec") or {}).get("containers") or []:
            name = cluster["metadata"].get("name") or cluster["metadata"].get("generateName", "")
            container.setdefault("env", []).append({"name": VARIABLE, "value": name})


serve(mutate)
