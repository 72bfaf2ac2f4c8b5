"""Sends the pulls of public registries through the company's pull-through cache."""
from admission import serve

CACHE = "registry.corp.example.com"
MIRRORED = ("docker.io", "quay.io", "ghcr.io", "registry.k8s.io")


def registry_and_rest(image):
    """Splits as the container runtime does: no registry means docker.io, no owner there means library."""
    first, slash, rest = image.partition("/")
    if not slash or not ("." in first or ":" in first or first == "localhost"):
        first, rest = "docker.io", image
    if first == "docker.io" and "/" not in rest:
        rest = f"library/{rest}"
    return first, rest


def mirrored(image):
    registry, rest = registry_and_rest(image)
    return f"{CACHE}/{registry}/{rest}" if registry in MIRRORED else image


def mutate(pod, request):
    for kind in ("initContainers", "containers"):
        for container in pod["spec"].get(kind) or []:
            # Without an image the workload's template manager fills it in later.
            if container.get("image", "").strip():
                container["image"] = mirrored(container["image"])


serve(mutate)
