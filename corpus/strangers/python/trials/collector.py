"""The metrics collector of a trial."""
NAME = "metrics-logger-and-collector"


def container(pod, trial):
    kind = (trial["spec"].get("collector") or {}).get("kind", "StdOut")
    return {
        "name": NAME,
        "image": "docker.io/kubeflowkatib/file-metrics-collector:v0.8",
        "args": ["-t", trial["metadata"]["name"], "-pod", pod["metadata"].get("name", ""), "-kind", kind],
        "resources": {"requests": {"cpu": "50m", "memory": "10Mi"}, "limits": {"cpu": "500m", "memory": "100Mi"}},
        "securityContext": {
            "runAsNonRoot": True, "runAsUser": 65532, "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}},
    }
