"""Ships the logs of a Pod with the Fluent Bit configuration that its annotation names."""
from admission import Denied, serve

IMAGE = "cr.fluentbit.io/fluent/fluent-bit:2.2.2"
CONFIG = "fluentbit.example.io/config"
LOGS = {"name": "fluent-bit-logs", "emptyDir": {}}


def running_containers(spec):
    sidecars = [c for c in spec.get("initContainers") or [] if c.get("restartPolicy") == "Always"]
    return sidecars + spec["containers"]


def ensure_volume(spec, volume):
    volumes = spec.setdefault("volumes", [])
    present = next((v for v in volumes if v["name"] == volume["name"]), None)
    if present is None:
        volumes.append(volume)
    elif any(key not in present for key in volume) or (
            "configMap" in volume and present["configMap"].get("name") != volume["configMap"]["name"]):
        raise Denied(f"the volume name {volume['name']} is reserved for Fluent Bit")


def mutate(pod, request):
    config = (pod["metadata"].get("annotations") or {}).get(CONFIG)
    if not config:
        return
    spec = pod["spec"]
    ensure_volume(spec, LOGS)
    ensure_volume(spec, {"name": "fluent-bit-config", "configMap": {"name": config}})
    if not any(container.get("image") == IMAGE for container in running_containers(spec)):
        spec["containers"].append({
            "name": "fluent-bit",
            "image": IMAGE,
            "volumeMounts": [{"name": "fluent-bit-config", "mountPath": "/fluent-bit/etc", "readOnly": True}],
        })
    for container in running_containers(spec):
        mounts = container.setdefault("volumeMounts", [])
        if not any(mount["mountPath"] == "/var/log/app" for mount in mounts):
            mounts.append({"name": LOGS["name"], "mountPath": "/var/log/app"})


serve(mutate)
