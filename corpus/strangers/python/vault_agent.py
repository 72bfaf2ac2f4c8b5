"""Puts an agent beside a Pod's containers that writes secrets to a volume which all of them mount."""
from typing import Any

from admission import Denied, serve

PREFIX = "vault.hashicorp.com/"
SECRETS = {"name": "vault-secrets", "mountPath": "/vault/secrets"}
HOME = {"name": "home-vault", "mountPath": "/home/vault"}
NAMES = {"vault-agent", "vault-agent-init"}


def agent(name: str, role: str, arguments: str) -> dict[str, Any]:
    return {
        "name": name,
        "image": "hashicorp/vault:1.15",
        "command": ["/bin/sh", "-ec"],
        "args": [f"vault agent {arguments}"],
        "env": [{"name": "VAULT_ROLE", "value": role}],
        "volumeMounts": [HOME, SECRETS],
    }


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    annotations = pod["metadata"].get("annotations") or {}
    if annotations.get(PREFIX + "agent-inject") != "true" or annotations.get(PREFIX + "agent-inject-status"):
        return
    role = annotations.get(PREFIX + "role")
    if not role:
        raise Denied("error creating new agent sidecar: no Vault role found")
    init_containers, volumes = spec.get("initContainers") or [], spec.get("volumes") or []
    taken = {c["name"] for c in spec["containers"] + init_containers} & NAMES
    taken |= {volume["name"] for volume in volumes} & {SECRETS["name"], HOME["name"]}
    if taken:
        raise Denied(f"error creating new agent sidecar: {', '.join(sorted(taken))} is there already")
    spec["volumes"] = volumes + [{"name": v["name"], "emptyDir": {"medium": "Memory"}} for v in (HOME, SECRETS)]
    for container in spec["containers"] + init_containers:
        mounts = container.get("volumeMounts") or []
        if all(mount["mountPath"] != SECRETS["mountPath"] for mount in mounts):
            container["volumeMounts"] = mounts + [SECRETS]
    spec["initContainers"] = [agent("vault-agent-init", role, "-exit-after-auth")] + init_containers
    spec["containers"].append(agent("vault-agent", role, "-config=/home/vault/config.json"))
    pod["metadata"]["annotations"] = annotations | {PREFIX + "agent-inject-status": "injected"}


serve(mutate)
