"""Sends images through the mirror and lets every Pod pull with the mirror's secret."""
from admission import serve

MIRROR, SECRET = "jainishshah17", "regsecret"
PREFIX = f"registry.example.com/{MIRROR}/"


def mutate(pod, request):
    spec = pod["spec"]
    for container in (spec.get("initContainers") or []) + spec["containers"]:
        image = container.get("image", "")
        if image and not image.startswith(PREFIX):
            container["image"] = PREFIX + image
    spec["imagePullSecrets"] = [{"name": SECRET}]


serve(mutate)
