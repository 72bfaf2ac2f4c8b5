"""Gives every container of a Pod a volume for its certificate, which is named after the Pod."""
from typing import Any

from admission import serve


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec, metadata = pod["spec"], pod["metadata"]
    if (metadata.get("annotations") or {}).get("cert.example.io/inject") != "true":
        return
    name = "cert-" + metadata.get("name", "")
    volumes = spec.get("volumes") or []
    if all(volume["name"] != name for volume in volumes):
        spec["volumes"] = volumes + [{"name": name, "emptyDir": {"medium": "Memory"}}]
    for container in spec["containers"] + (spec.get("initContainers") or []):
        mounts = container.get("volumeMounts") or []
        if all(mount["mountPath"] != "/etc/cert" for mount in mounts):
            container["volumeMounts"] = mounts + [{"name": name, "mountPath": "/etc/cert", "readOnly": True}]


serve(mutate)
