"""Federates Pods labelled azure.workload.identity/use with Entra ID: a projected token and the AZURE_* env."""
from admission import Denied, serve

VOLUME = "azure-identity-token"
MOUNT_PATH = "/var/run/secrets/azure/tokens"
AUDIENCE = "api://AzureADTokenExchange"
PREFIX = "azure.workload.identity/"
ENV = {
    "AZURE_TENANT_ID": "3b6f5a8e-6b1c-4d06-9b3e-2f1d7c9a0e11",
    "AZURE_AUTHORITY_HOST": "https://login.microsoftonline.com/",
    "AZURE_FEDERATED_TOKEN_FILE": MOUNT_PATH + "/azure-identity-token",
}


def token_expiration(annotations):
    text = annotations.get(PREFIX + "service-account-token-expiration")
    if text is None:
        return 3600
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 3600 <= int(text) <= 86400):
        raise Denied(f"{PREFIX}service-account-token-expiration {text!r} is not between 3600 and 86400 seconds")
    return int(text)


def is_token_volume(volume):
    sources = (volume.get("projected") or {}).get("sources") or []
    return any((source.get("serviceAccountToken") or {}).get("audience") == AUDIENCE for source in sources)


def mutate(pod, request):
    annotations = pod["metadata"].get("annotations") or {}
    spec = pod["spec"]
    expiration = token_expiration(annotations)
    skipped = {name.strip() for name in annotations.get(PREFIX + "skip-containers", "").split(";")}

    volumes = spec.get("volumes") or []
    existing = next((v for v in volumes if v["name"] == VOLUME), None)
    if existing is not None and not is_token_volume(existing):
        raise Denied(f"the volume {VOLUME} of the Pod has no token for {AUDIENCE}; rename it")
    if existing is None:
        token = {"path": VOLUME, "audience": AUDIENCE, "expirationSeconds": expiration}
        spec["volumes"] = volumes + [{"name": VOLUME, "projected": {"sources": [{"serviceAccountToken": token}]}}]

    for container in (spec.get("initContainers") or []) + spec["containers"]:
        if container["name"] in skipped:
            continue
        env = container.get("env") or []
        names = {variable["name"] for variable in env}
        container["env"] = env + [{"name": n, "value": v} for n, v in ENV.items() if n not in names]
        mounts = container.get("volumeMounts") or []
        if all(mount["mountPath"] != MOUNT_PATH for mount in mounts):
            container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": MOUNT_PATH, "readOnly": True}]


serve(mutate)
