"""Sends Pods of the pool gpu to its nodes: a node selector, and a toleration of the nodes' taint."""
from typing import Any

from admission import serve

TOLERATION = {"key": "example.io/gpu", "operator": "Exists", "effect": "NoSchedule"}


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    tolerations = spec.get("tolerations") or []
    if TOLERATION not in tolerations:
        spec["tolerations"] = tolerations + [TOLERATION]
    spec["nodeSelector"] = {"example.io/pool": "gpu"} | (spec.get("nodeSelector") or {})


serve(mutate)
