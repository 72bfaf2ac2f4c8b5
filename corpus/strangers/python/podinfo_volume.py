"""Shows each container its Pod's labels and annotations as files."""
from admission import Denied, serve

VOLUME = "podinfo"
MOUNT_PATH = "/etc/podinfo"
FIELDS = ("labels", "annotations")


def podinfo_volume():
    items = [{"path": field, "fieldRef": {"apiVersion": "v1", "fieldPath": f"metadata.{field}"}} for field in FIELDS]
    return {"name": VOLUME, "downwardAPI": {"items": items}}


def mutate(pod, request):
    spec = pod["spec"]
    volumes = spec.get("volumes") or []
    present = next((volume for volume in volumes if volume["name"] == VOLUME), None)
    if present is None:
        spec["volumes"] = volumes + [podinfo_volume()]
    elif "downwardAPI" not in present:
        raise Denied(f"the volume name {VOLUME} is taken by a volume that is not a downward API")
    for container in (spec.get("initContainers") or []) + spec["containers"]:
        mounts = container.get("volumeMounts") or []
        if not any(mount["name"] == VOLUME for mount in mounts):
            container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": MOUNT_PATH, "readOnly": True}]


serve(mutate)
