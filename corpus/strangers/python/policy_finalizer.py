"""Defaults of admission policies; the finalizer lets the controller remove what it made for them."""
from admission import serve

FINALIZER = "policies.example.io/cleanup"


def mutate(policy, request):
    spec = policy.setdefault("spec", {})
    if not spec.get("policyServer"):
        spec["policyServer"] = "default"
    metadata = policy["metadata"]
    finalizers = metadata.get("finalizers") or []
    if FINALIZER not in finalizers:
        metadata["finalizers"] = [*finalizers, FINALIZER]


serve(mutate)
