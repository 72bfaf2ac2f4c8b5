"""Puts a proxy beside the containers of a Pod, and an init container that leads the traffic through it."""
from typing import Any

from admission import serve

PROXY = {
    "name": "mesh-proxy",
    "image": "registry.example.io/mesh/proxy:2.9",
    "ports": [{"name": "mesh-admin", "containerPort": 4191}],
}
INIT = {
    "name": "mesh-init",
    "image": "registry.example.io/mesh/proxy-init:2.9",
    "securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"]}},
}


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    annotations = pod["metadata"].get("annotations") or {}
    if annotations.get("mesh.example.io/inject") == "disabled" or spec.get("hostNetwork"):
        return
    if (spec.get("os") or {}).get("name") == "windows":
        return
    init_containers = spec.get("initContainers") or []
    names = {container["name"] for container in spec["containers"] + init_containers}
    if PROXY["name"] in names or INIT["name"] in names:
        return
    spec["initContainers"] = [INIT] + init_containers
    spec["containers"].append(PROXY)


serve(mutate)
