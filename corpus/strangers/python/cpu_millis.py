"""Tells each container its CPU request in thousandths, for runtimes that size their thread pools by it."""
from typing import Any

from admission import serve


def millis(quantity: str) -> int:
    return int(quantity[:-1]) if quantity.endswith("m") else int(quantity) * 1000


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    if (pod["metadata"].get("labels") or {}).get("sizing.example.io/auto") != "true":
        return
    for container in pod["spec"]["containers"]:
        cpu = ((container.get("resources") or {}).get("requests") or {}).get("cpu")
        env = container.get("env") or []
        if cpu is not None and all(variable["name"] != "CPU_MILLIS" for variable in env):
            container["env"] = env + [{"name": "CPU_MILLIS", "value": str(millis(cpu))}]


serve(mutate)
