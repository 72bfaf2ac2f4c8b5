"""Gives Pods of hardened namespaces the runtime's seccomp profile where they name none."""
from admission import serve

PROFILE = {"type": "RuntimeDefault"}


def mutate(pod, request):
    spec = pod["spec"]
    if (spec.get("os") or {}).get("name") == "windows":
        return
    context = spec.get("securityContext") or {}
    if not context.get("seccompProfile"):
        # Containers with a profile of their own keep it: theirs takes precedence.
        spec["securityContext"] = {**context, "seccompProfile": dict(PROFILE)}


serve(mutate)
