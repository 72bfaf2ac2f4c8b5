"""The flagd container that serves the flags of a FeatureFlagConfiguration."""
NAME = "flagd"
IMAGE = "ghcr.io/open-feature/flagd:v0.2.0"
MOUNT = "/etc/flagd"


def container(configuration):
    name = configuration["metadata"]["name"]
    return {
        "name": NAME,
        "image": IMAGE,
        "args": ["start", "--uri", f"{MOUNT}/{name}.json"],
        "env": configuration["spec"]["flagDSpec"]["envs"],
        "volumeMounts": [{"name": "flagd-config", "mountPath": MOUNT, "readOnly": True}],
        "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"cpu": "500m", "memory": "64Mi"}},
        "securityContext": {
            "runAsNonRoot": True, "runAsUser": 65532, "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}},
    }


def volume(configuration):
    return {"name": "flagd-config", "configMap": {"name": configuration["metadata"]["name"]}}
