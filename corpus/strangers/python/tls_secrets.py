"""Mounts the TLS secrets that tls.example.io/secrets lists ("api-cert,db-cert") below /etc/tls."""
import re

from admission import Denied, serve

ANNOTATION = "tls.example.io/secrets"
SECRET_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


def mutate(pod, request):
    text = (pod["metadata"].get("annotations") or {}).get(ANNOTATION, "")
    secrets = list(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
    spec = pod["spec"]
    for secret in secrets:
        if len(secret) > 253 or not SECRET_NAME.fullmatch(secret):
            raise Denied(f"{ANNOTATION}: {secret!r} is not the name of a Secret")
        name, path = f"tls-{secret}", f"/etc/tls/{secret}"
        volumes = spec.setdefault("volumes", [])
        own = next((volume for volume in volumes if volume["name"] == name), None)
        if own is None:
            volumes.append({"name": name, "secret": {"secretName": secret}})
        elif (own.get("secret") or {}).get("secretName") != secret:
            raise Denied(f"the volume {name} is not the Secret {secret}")
        for container in (spec.get("initContainers") or []) + spec["containers"]:
            mounts = container.setdefault("volumeMounts", [])
            if all(mount["mountPath"] != path for mount in mounts):
                mounts.append({"name": name, "mountPath": path, "readOnly": True})


serve(mutate)
