"""Lets variables with a value like name@azurekeyvault be read by the injector's program at start."""
from admission import serve
from keyvault.names import secret_name

MARK = "@azurekeyvault"
VOLUME, PATH = "azure-keyvault-env", "/azure-keyvault"


def asks(container):
    return any(MARK in variable.get("value", "") for variable in container.get("env") or [])


def mutate(pod, request):
    spec = pod["spec"]
    concerned = [one for one in (spec.get("initContainers") or []) + spec["containers"] if asks(one)]
    if not concerned:
        return
    volumes = spec.setdefault("volumes", [])
    if not any(one["name"] == VOLUME for one in volumes):
        volumes.append({"name": VOLUME, "secret": {"secretName": secret_name(pod)}})
    for container in concerned:
        mounts = container.setdefault("volumeMounts", [])
        if all(mount["mountPath"] != PATH for mount in mounts):
            mounts.append({"name": VOLUME, "mountPath": PATH, "readOnly": True})


serve(mutate)
