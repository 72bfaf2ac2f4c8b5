"""Keeps Pods with the label compute.example.io/pool on the nodes of that NodePool."""
from admission import Denied, serve
from cluster.cache import Cache
from pools.affinity import node_affinity, terms

LABEL = "compute.example.io/pool"
pools = Cache("/apis/compute.example.io/v1/nodepools")


def mutate(pod, request):
    name = (pod["metadata"].get("labels") or {}).get(LABEL)
    if not name:
        return
    pool = pools.get("", name)
    if pool is None:
        raise Denied(f"NodePool.compute.example.io \"{name}\" not found")
    if not terms(pool):
        return
    affinity = pod["spec"].get("affinity") or {}
    pod["spec"]["affinity"] = {"nodeAffinity": node_affinity(affinity, pool)}


serve(mutate)
