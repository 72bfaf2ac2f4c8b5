"""Mounts a volume for log files into every container, which the node's collector reads."""
from typing import Any

from admission import serve


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    if (pod["metadata"].get("annotations") or {}).get("logs.example.io/collect") != "true":
        return
    spec["volumes"] = (spec.get("volumes") or []) + [{"name": "collected-logs", "emptyDir": {}}]
    for container in spec["containers"] + (spec.get("initContainers") or []):
        mounts = container.get("volumeMounts") or []
        container["volumeMounts"] = mounts + [{"name": "collected-logs", "mountPath": "/var/log/collected"}]


serve(mutate)
