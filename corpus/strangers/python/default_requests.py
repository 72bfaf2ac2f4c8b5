"""Requests a little CPU for containers that ask for nothing, so that the scheduler counts them."""
from typing import Any

from admission import serve


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    # What a Pod asks for as a whole may be less than what its containers would ask for then.
    if spec.get("resources"):
        return
    for container in spec["containers"] + (spec.get("initContainers") or []):
        resources = container.get("resources") or {}
        if not resources.get("requests") and not resources.get("limits"):
            container["resources"] = resources | {"requests": {"cpu": "10m"}}


serve(mutate)
