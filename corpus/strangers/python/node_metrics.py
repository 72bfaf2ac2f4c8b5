"""Exports the metrics of a Pod's processes beside it."""
from admission import Denied, serve

SCRAPE = "process-metrics.example.io/enabled"
NAME = "process-exporter"
PORT_NAME = "proc-metrics"
PORT = 9256


def exporter():
    return {
        "name": NAME,
        "image": "ghcr.io/example/process-exporter:0.8.2",
        "args": ["--procfs=/proc", f"--web.listen-address=:{PORT}"],
        "ports": [{"name": PORT_NAME, "containerPort": PORT, "protocol": "TCP"}],
        "securityContext": {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True},
    }


def mutate(pod, request):
    metadata, spec = pod["metadata"], pod["spec"]
    if (metadata.get("annotations") or {}).get(SCRAPE) not in ("true", "yes"):
        return
    everyone = (spec.get("initContainers") or []) + spec["containers"]
    if any(container["name"] == NAME for container in everyone):
        return
    names = {port.get("name") for container in everyone for port in container.get("ports") or []}
    if PORT_NAME in names:
        return  # the application exports them itself
    if spec.get("hostPID") is not True:
        if spec.get("shareProcessNamespace") is False:
            raise Denied(f"{SCRAPE} needs shareProcessNamespace, which the Pod turns off")
        spec["shareProcessNamespace"] = True
    spec["containers"].append(exporter())


serve(mutate)
