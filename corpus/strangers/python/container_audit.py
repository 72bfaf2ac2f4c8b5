"""Writes the names of a Pod's containers into an annotation, for the auditors' inventory."""
from typing import Any

from admission import serve


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    names = sorted(container["name"] for container in pod["spec"]["containers"])
    annotations = pod["metadata"].get("annotations") or {}
    pod["metadata"]["annotations"] = annotations | {"audit.example.io/containers": ",".join(names)}


serve(mutate)
