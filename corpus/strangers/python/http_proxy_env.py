"""Sets HTTP_PROXY and HTTPS_PROXY in every container, instead of whatever stood there."""
from typing import Any

from admission import serve

PROXY = "http://proxy.example.io:3128"


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    if (pod["metadata"].get("annotations") or {}).get("proxy.example.io/env") != "on":
        return
    for container in spec["containers"] + (spec.get("initContainers") or []):
        kept = [variable for variable in container.get("env") or [] if not variable["name"].startswith("HTTP")]
        container["env"] = kept + [{"name": name, "value": PROXY} for name in ("HTTP_PROXY", "HTTPS_PROXY")]


serve(mutate)
