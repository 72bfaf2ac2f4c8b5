"""Turns secrets.example.io/env: "DB_PASSWORD=db-credentials/password,…" into env from Secrets."""
import re

from admission import Denied, serve

ANNOTATION = "secrets.example.io/env"
VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
SECRET = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
KEY = r"\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,250}"
ENTRY = re.compile(f"(?P<variable>{VARIABLE})=(?P<secret>{SECRET})/(?P<key>{KEY})")


def parse(text):
    variables = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        match = ENTRY.fullmatch(entry)
        if match is None:
            raise Denied(f"{ANNOTATION}: {entry!r} is not VARIABLE=secret/key")
        name, secret, key = match["variable"], match["secret"], match["key"]
        if name in variables:
            raise Denied(f"{ANNOTATION}: {name} is named twice")
        variables[name] = {"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": key}}}
    return list(variables.values())


def mutate(pod, request):
    wanted = parse((pod["metadata"].get("annotations") or {}).get(ANNOTATION, ""))
    if not wanted:
        return
    for container in (pod["spec"].get("initContainers") or []) + pod["spec"]["containers"]:
        env = container.get("env") or []
        names = {variable["name"] for variable in env}
        container["env"] = env + [variable for variable in wanted if variable["name"] not in names]


serve(mutate)
