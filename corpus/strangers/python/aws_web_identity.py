"""Gives Pods of the service account s3-reader a token to assume its IAM role with."""
from typing import Any

from admission import Denied, serve

VOLUME = "aws-iam-token"
DIRECTORY = "/var/run/secrets/eks.amazonaws.com/serviceaccount"
AUDIENCE = "sts.amazonaws.com"
ENV = {
    "AWS_ROLE_ARN": "arn:aws:iam::111122223333:role/s3-reader",
    "AWS_WEB_IDENTITY_TOKEN_FILE": f"{DIRECTORY}/token",
}


def is_token(volume: dict[str, Any]) -> bool:
    sources = (volume.get("projected") or {}).get("sources") or []
    return any((source.get("serviceAccountToken") or {}).get("audience") == AUDIENCE for source in sources)


def mutate(pod: dict[str, Any], request: dict[str, Any]) -> None:
    spec = pod["spec"]
    volumes = spec.get("volumes") or []
    own = [volume for volume in volumes if volume["name"] == VOLUME]
    if any(not is_token(volume) for volume in own):
        raise Denied(f"the volume name {VOLUME} is reserved for the token")
    if not own:
        token = {"audience": AUDIENCE, "expirationSeconds": 86400, "path": "token"}
        spec["volumes"] = volumes + [{"name": VOLUME, "projected": {"sources": [{"serviceAccountToken": token}]}}]
    for container in spec["containers"] + (spec.get("initContainers") or []):
        env = container.get("env") or []
        names = {variable["name"] for variable in env}
        container["env"] = env + [{"name": k, "value": v} for k, v in ENV.items() if k not in names]
        mounts = container.get("volumeMounts") or []
        if all(mount["mountPath"] != DIRECTORY for mount in mounts):
            container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": DIRECTORY, "readOnly": True}]


serve(mutate)
