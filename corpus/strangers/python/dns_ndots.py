"""Lowers ndots for Pods that mostly resolve names outside the cluster."""
from admission import serve

OPTIONS = {"ndots": "2", "single-request-reopen": None}


def mutate(pod, request):
    spec = pod["spec"]
    # With the node's resolver there is no search list that ndots could walk.
    if spec.get("dnsPolicy") == "Default" or (spec.get("hostNetwork") and spec.get("dnsPolicy") != "ClusterFirstWithHostNet"):
        return
    config = spec.get("dnsConfig") or {}
    options = config.get("options") or []
    present = {option.get("name") for option in options}
    missing = [{"name": name} if value is None else {"name": name, "value": value}
               for name, value in OPTIONS.items() if name not in present]
    if missing:
        spec["dnsConfig"] = {**config, "options": options + missing}


serve(mutate)
