"""Sets DD_SERVICE, DD_ENV and DD_VERSION: unified service tagging for what carries no tags of its own."""
from admission import serve

TAGS = {"DD_ENV": "tags.datadoghq.com/env", "DD_VERSION": "tags.datadoghq.com/version"}
SERVICE_LABEL = "tags.datadoghq.com/service"


def service_of(metadata):
    """The service's name: its label, else the workload that made the Pod."""
    labels = metadata.get("labels") or {}
    if SERVICE_LABEL in labels:
        return labels[SERVICE_LABEL]
    owner = metadata["ownerReferences"][0]
    if owner["kind"] == "ReplicaSet":
        return owner["name"].rpartition("-")[0] or owner["name"]
    return owner["name"]


def mutate(pod, request):
    labels = pod["metadata"].get("labels") or {}
    values = {"DD_SERVICE": service_of(pod["metadata"])}
    values.update({name: labels[label] for name, label in TAGS.items() if label in labels})
    for kind in ("initContainers", "containers"):
        for container in pod["spec"].get(kind) or []:
            env = container.get("env") or []
            present = {variable["name"] for variable in env}
            missing = [{"name": name, "value": value} for name, value in values.items() if name not in present]
            if missing:
                container["env"] = env + missing


serve(mutate)
