"""Puts Jobs that belong to a pool on the nodes of that pool: node selector and toleration in their template."""
from admission import serve

POOL_LABEL = "scheduling.example.io/pool"


def mutate(job, request):
    pool = (job["metadata"].get("labels") or {}).get(POOL_LABEL)
    if not pool:
        return
    pod = job["spec"]["template"]["spec"]
    pod["nodeSelector"] = {**(pod.get("nodeSelector") or {}), POOL_LABEL: pool}
    tolerations = pod.get("tolerations") or []
    if not any(one.get("key") == POOL_LABEL for one in tolerations):
        pod["tolerations"] = tolerations + [{"key": POOL_LABEL, "operator": "Exists", "effect": "NoSchedule"}]


serve(mutate)
