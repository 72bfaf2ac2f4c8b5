"""Gives containers with a read-only root file system a /tmp to write to."""
from admission import Denied, serve

VOLUME = "writable-tmp"
PATH = "/tmp"
SIZE = "64Mi"


def needs_tmp(container):
    context = container.get("securityContext") or {}
    if context.get("readOnlyRootFilesystem") is not True:
        return False
    mounted = {mount["mountPath"].rstrip("/") for mount in container.get("volumeMounts") or []}
    return PATH not in mounted


def mutate(pod, request):
    spec = pod["spec"]
    containers = [c for c in (spec.get("initContainers") or []) + spec["containers"] if needs_tmp(c)]
    if not containers:
        return
    volumes = spec.get("volumes") or []
    own = next((volume for volume in volumes if volume["name"] == VOLUME), None)
    if own is None:
        spec["volumes"] = volumes + [{"name": VOLUME, "emptyDir": {"sizeLimit": SIZE}}]
    elif "emptyDir" not in own:
        raise Denied(f"the volume {VOLUME} must be an emptyDir")
    for container in containers:
        container["volumeMounts"] = (container.get("volumeMounts") or []) + [{"name": VOLUME, "mountPath": PATH}]


serve(mutate)
