"""Runs the Pods of batch namespaces on spot capacity."""
from admission import serve

CAPACITY_LABEL = "karpenter.sh/capacity-type"
TOLERATION = {"key": "example.io/spot", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
# The namespaces of the data platform's tenants are named batch-TEAM.
BATCH_PREFIX = "batch-"


def tolerates_spot(toleration):
    if toleration.get("effect") not in (None, "", "NoSchedule"):
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", TOLERATION["key"])
    return toleration.get("key") == TOLERATION["key"] and toleration.get("value") == TOLERATION["value"]


def mutate(pod, request):
    if not request["namespace"].startswith(BATCH_PREFIX):
        return
    spec = pod["spec"]
    selector = spec.get("nodeSelector") or {}
    if selector.get(CAPACITY_LABEL, "spot") != "spot":
        return  # the team pays for on-demand nodes
    spec["nodeSelector"] = {**selector, CAPACITY_LABEL: "spot"}
    tolerations = spec.get("tolerations") or []
    if not any(tolerates_spot(toleration) for toleration in tolerations):
        spec["tolerations"] = tolerations + [dict(TOLERATION)]


serve(mutate)
