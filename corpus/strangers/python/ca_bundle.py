"""Mounts the company's CA bundle and points the usual TLS libraries at it."""
from admission import Denied, serve

VOLUME = "corp-ca-bundle"
CONFIG_MAP = "corp-ca-bundle"
MOUNT_PATH = "/etc/corp/ca"
BUNDLE = MOUNT_PATH + "/ca.crt"
VARIABLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
OPT_OUT = "ca.example.io/inject"


def mutate(pod, request):
    if (pod["metadata"].get("annotations") or {}).get(OPT_OUT) == "false":
        return
    spec = pod["spec"]
    volumes = spec.get("volumes") or []
    found = [volume for volume in volumes if volume["name"] == VOLUME]
    if not found:
        spec["volumes"] = volumes + [{"name": VOLUME, "configMap": {"name": CONFIG_MAP}}]
    elif (found[0].get("configMap") or {}).get("name") != CONFIG_MAP:
        raise Denied(f"the volume name {VOLUME} is reserved for the ConfigMap {CONFIG_MAP}")
    for kind in ("initContainers", "containers"):
        for container in spec.get(kind) or []:
            mounts = container.get("volumeMounts") or []
            at_path = [mount for mount in mounts if mount["mountPath"] == MOUNT_PATH]
            if at_path and at_path[0]["name"] != VOLUME:
                continue  # what is mounted there has another bundle, or none
            if not at_path:
                container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": MOUNT_PATH, "readOnly": True}]
            env = container.get("env") or []
            names = {variable["name"] for variable in env}
            container["env"] = env + [{"name": n, "value": BUNDLE} for n in VARIABLES if n not in names]


serve(mutate)
