"""Labels Pods for the inventory; it was generated from the API's types as they were five years ago."""
from typing import Any

from admission import serve

CONTAINER = {
    "name", "image", "command", "args", "workingDir", "ports", "envFrom", "env", "resources", "volumeMounts",
    "volumeDevices", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "terminationMessagePath",
    "terminationMessagePolicy", "imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty",
}


def decode(container: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in container.items() if key in CONTAINER}


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    labels = pod["metadata"].get("labels") or {}
    if labels.get("inventory.example.io/track") != "true":
        return
    for kind in ("containers", "initContainers"):
        if pod["spec"].get(kind):
            pod["spec"][kind] = [decode(container) for container in pod["spec"][kind]]
    pod["metadata"]["labels"] = labels | {"inventory.example.io/tracked": "true"}


serve(mutate)
