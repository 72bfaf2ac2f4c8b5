"""Pulls every image through the company's mirror."""
from typing import Any

from admission import serve

MIRROR = "mirror.example.io/"


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    for container in spec["containers"] + (spec.get("initContainers") or []):
        image = container.get("image", "")
        if image and not image.startswith(MIRROR):
            container["image"] = MIRROR + image


serve(mutate)
