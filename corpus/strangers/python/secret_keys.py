"""Gives containers the values of Secrets as env: vault.example.io/secret-NAME: path/of/secret[#key]."""
import re

from admission import Denied, serve

PREFIX = "vault.example.io/secret-"
PATH = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(/[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


def variable_name(name):
    return "".join(c if c.isalnum() else "_" for c in name).upper()


def reference(annotation, text):
    """Secrets of Vault are synced to Secrets whose names have dots for slashes."""
    path, _, key = text.partition("#")
    if not PATH.fullmatch(path) or not KEY.fullmatch(key or "value"):
        raise Denied(f"{annotation}: {text!r} is not path or path#key")
    return {"name": path.replace("/", "."), "key": key or "value"}


def mutate(pod, request):
    annotations = pod["metadata"].get("annotations") or {}
    wanted = [{"name": variable_name(key[len(PREFIX):]), "valueFrom": {"secretKeyRef": reference(key, annotations[key])}}
              for key in sorted(annotations) if key.startswith(PREFIX)]
    for container in (pod["spec"].get("initContainers") or []) + pod["spec"]["containers"]:
        env = container.get("env") or []
        names = {variable["name"] for variable in env}
        missing = [variable for variable in wanted if variable["name"] not in names]
        if missing:
            container["env"] = env + missing


serve(mutate)
