"""Reloads the application when its ConfigMap changes.

config-reload.example.io/container names the application's container if the Pod has several.
"""
from admission import Denied, serve

CONTAINER = "config-reload.example.io/container"
CONFIG_MAP = "config-reload.example.io/config-map"
SIDECAR = "config-reloader"
VOLUME = "config-reload"
MOUNT = {"name": VOLUME, "mountPath": "/etc/config-reload", "readOnly": True}


def application(containers, name):
    if name is None:
        return containers[0]
    for container in containers:
        if container["name"] == name:
            return container
    raise Denied(f"{CONTAINER}: the Pod has no container {name!r}")


def mount_config(container):
    mounts = container.get("volumeMounts") or []
    if all(mount["mountPath"] != MOUNT["mountPath"] for mount in mounts):
        container["volumeMounts"] = mounts + [dict(MOUNT)]


def mutate(pod, request):
    annotations = pod["metadata"].get("annotations") or {}
    config_map = annotations.get(CONFIG_MAP)
    if not config_map:
        return
    spec = pod["spec"]
    volumes = spec.get("volumes") or []
    present = next((volume for volume in volumes if volume["name"] == VOLUME), None)
    if present is None:
        spec["volumes"] = volumes + [{"name": VOLUME, "configMap": {"name": config_map}}]
    elif (present.get("configMap") or {}).get("name") != config_map:
        raise Denied(f"the volume {VOLUME} is not the ConfigMap {config_map}")
    mount_config(application(spec["containers"], annotations.get(CONTAINER)))
    everyone = (spec.get("initContainers") or []) + spec["containers"]
    if not any(container["name"] == SIDECAR for container in everyone):
        sidecar = {"name": SIDECAR, "image": "ghcr.io/example/config-reloader:0.9.1",
                   "args": [f"--watch={MOUNT['mountPath']}", "--post=http://127.0.0.1:8080/-/reload"]}
        mount_config(sidecar)
        spec["containers"].append(sidecar)


serve(mutate)
