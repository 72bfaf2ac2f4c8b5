"""Starts containers through secret-env, which reads secret: values of env before it runs their command.

Only where the Pod says the command: that of an image is known to the registry alone.
"""
from admission import Denied, serve

DIRECTORY = "/secret-env"
WRAPPER = f"{DIRECTORY}/secret-env"
VOLUME = "secret-env"
SCHEME = "secret:"
COPY = {
    "name": "copy-secret-env",
    "image": "ghcr.io/example/secret-env:1.21.0",
    "command": ["/usr/local/bin/secret-env", "install", DIRECTORY],
    "volumeMounts": [{"name": VOLUME, "mountPath": DIRECTORY}],
}


def wants_secrets(container):
    return any(variable.get("value", "").startswith(SCHEME) for variable in container.get("env") or [])


def wrap(container):
    if not container.get("command"):
        raise Denied(f"container {container['name']} has values that start with {SCHEME}, and no command")
    if container["command"][0] != WRAPPER:
        container["command"] = [WRAPPER] + container["command"]
    mounts = container.get("volumeMounts") or []
    if all(mount["mountPath"] != DIRECTORY for mount in mounts):
        container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": DIRECTORY, "readOnly": True}]


def mutate(pod, request):
    spec = pod["spec"]
    inits = spec.get("initContainers") or []
    wanting = [c for c in inits + spec["containers"] if c["name"] != COPY["name"] and wants_secrets(c)]
    if not wanting:
        return
    for container in wanting:
        wrap(container)
    volumes = spec.get("volumes") or []
    own = next((volume for volume in volumes if volume["name"] == VOLUME), None)
    if own is None:
        spec["volumes"] = volumes + [{"name": VOLUME, "emptyDir": {"medium": "Memory"}}]
    elif "emptyDir" not in own:
        raise Denied(f"the volume {VOLUME} of the Pod is not an emptyDir")
    if all(container["name"] != COPY["name"] for container in inits + spec["containers"]):
        spec["initContainers"] = [COPY] + inits


serve(mutate)
