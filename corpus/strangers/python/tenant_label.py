"""Labels Pods with their tenant, which the annotation names in the words of the contract."""
import re

from admission import Denied, serve

ANNOTATION = "tenancy.example.io/tenant"
LABEL = "tenancy.example.io/tenant-id"
LONGEST = 63


def tenant_id(tenant):
    text = re.sub(r"[^a-z0-9]+", "-", tenant.lower()).strip("-")
    if not text or len(text) > LONGEST:
        raise Denied(f"{ANNOTATION}: {tenant!r} makes no label of 1 to {LONGEST} characters")
    return text


def mutate(pod, request):
    metadata = pod["metadata"]
    tenant = (metadata.get("annotations") or {}).get(ANNOTATION)
    labels = metadata.get("labels") or {}
    if tenant is None or LABEL in labels:
        return
    metadata["labels"] = {**labels, LABEL: tenant_id(tenant)}


serve(mutate)
