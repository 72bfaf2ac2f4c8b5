"""Tells applications the port of their team's StatsD on the node: teams share nodes, not ports."""
from admission import serve

TEAM = "metrics.example.io/team"
BASE_PORT = 20000
PORTS = 1000


def statsd_port(team):
    return BASE_PORT + hash(team) % PORTS


def mutate(pod, request):
    team = (pod["metadata"].get("labels") or {}).get(TEAM)
    if not team:
        return
    host = {"name": "STATSD_HOST", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.hostIP"}}}
    port = {"name": "STATSD_PORT", "value": str(statsd_port(team))}
    for container in (pod["spec"].get("initContainers") or []) + pod["spec"]["containers"]:
        env = container.get("env") or []
        names = {variable["name"] for variable in env}
        container["env"] = env + [variable for variable in (host, port) if variable["name"] not in names]


serve(mutate)
