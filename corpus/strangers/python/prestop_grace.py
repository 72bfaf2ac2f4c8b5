"""Lets load balancers notice that a Pod ends: containers sleep before they stop, within the Pod's grace period."""
from admission import serve

LABEL = "drain.example.io/graceful"
LONGEST_SLEEP = 15
DEFAULT_GRACE = 30


def mutate(pod, request):
    if (pod["metadata"].get("labels") or {}).get(LABEL) != "true":
        return
    spec = pod["spec"]
    # Half of the time to stop is the application's own.
    seconds = min(LONGEST_SLEEP, spec.get("terminationGracePeriodSeconds", DEFAULT_GRACE) // 2)
    if seconds < 1:
        return
    sidecars = [c for c in spec.get("initContainers") or [] if c.get("restartPolicy") == "Always"]
    for container in sidecars + spec["containers"]:
        lifecycle = container.get("lifecycle") or {}
        if "preStop" not in lifecycle:
            container["lifecycle"] = {**lifecycle, "preStop": {"sleep": {"seconds": seconds}}}


serve(mutate)
