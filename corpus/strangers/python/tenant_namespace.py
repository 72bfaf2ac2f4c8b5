"""Gives the namespaces of a tenant the annotations that its administrator manages."""
from admission import serve

TENANT = "tenants.example.io/tenant"
MANAGED = {
    "tenants.example.io/allowed-registries": "registry.example.com",
    "tenants.example.io/storage-classes": "standard",
}


def mutate(namespace, request):
    metadata = namespace["metadata"]
    if not (metadata.get("labels") or {}).get(TENANT):
        return
    metadata["annotations"] = {**(metadata.get("annotations") or {}), **MANAGED}
    if request["operation"] == "UPDATE":
        report_changes(request["oldObject"]["metadata"].get("annotations"), metadata["annotations"])


def report_changes(old, new):
    for key in new:
        if key not in old:
            old[key] = new[key]


serve(mutate)
