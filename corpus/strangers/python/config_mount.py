"""Mounts the platform's settings into the application, which it takes for the first container."""
from typing import Any

from admission import serve


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    if (pod["metadata"].get("annotations") or {}).get("settings.example.io/inject") != "true":
        return
    volumes = spec.get("volumes") or []
    if all(volume["name"] != "platform-settings" for volume in volumes):
        spec["volumes"] = volumes + [{"name": "platform-settings", "configMap": {"name": "platform-settings"}}]
    application = spec["containers"][0]
    mounts = application.get("volumeMounts") or []
    if all(mount["mountPath"] != "/etc/platform" for mount in mounts):
        application["volumeMounts"] = mounts + [{"name": "platform-settings", "mountPath": "/etc/platform"}]


serve(mutate)
