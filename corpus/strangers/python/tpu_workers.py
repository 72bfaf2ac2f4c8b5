"""kuberay-tpu-webhook: gives the Ray workers on TPUs their ids, names and places."""
import functools
import sys

from admission import serve
from raytpu import slices, tpu

FIXED = sys.argv[1:] == ["fixed"]
CLUSTER, GROUP, REPLICA = "ray.io/cluster", "ray.io/group", "replicaIndex"
SERVICE_SUFFIX = "headless-worker-svc"
NODE_POOL = "cloud.google.com/gke-nodepool"


@functools.cache
def registry():
    return slices.Cluster() if FIXED else slices.Memory()


def label(pod, key, what):
    value = (pod["metadata"].get("labels") or {}).get(key)
    if not value:
        raise ValueError(f"Kuberay Pod missing {what} label")
    return value


def mutate(pod, request):
    containers = pod["spec"].get("containers") or []
    chips = tpu.chips_per_host(containers)
    if chips == 0:
        return
    group = slices.Group(request["namespace"], label(pod, CLUSTER, "RayCluster"), label(pod, GROUP, "Group"))
    topology = (pod["spec"].get("nodeSelector") or {}).get(tpu.TOPOLOGY, "")
    hosts = tpu.hosts(topology, chips) if topology else 1
    replica, worker = place(pod, group, hosts)
    pod["metadata"]["labels"][REPLICA] = f"{group.name}-{replica}"
    if hosts > 1:
        join_slice(pod["spec"], group, replica, worker)
    for container in containers:
        if tpu.requested(container):
            inject(container, group, replica, worker, hosts)


def place(pod, group, hosts):
    """Where the Pod belongs; a Pod that has been here before keeps its place."""
    known = pod["metadata"]["labels"].get(REPLICA, "").rpartition("-")[2]
    worker = slices.worker_id(pod) if known.isdigit() else None
    if worker is not None:
        return int(known), worker
    replica, worker = registry().next(group, hosts)
    if FIXED and hosts == 1:
        worker = 0
    return replica, worker


def join_slice(spec, group, replica, worker):
    """The workers of a slice know each other by name and run in one node pool."""
    spec["hostname"] = f"{group.name}-{replica}-{worker}"
    spec["subdomain"] = f"{group.cluster}-{SERVICE_SUFFIX}"
    expression = {"key": REPLICA, "operator": "In", "values": [f"{group.name}-{replica}"]}
    term = {"labelSelector": {"matchExpressions": [expression]}, "topologyKey": NODE_POOL}
    terms = spec.setdefault("affinity", {}).setdefault("podAffinity", {}).setdefault(
        "requiredDuringSchedulingIgnoredDuringExecution", [])
    if term not in terms:
        terms.append(term)


def host_names(group, replica, hosts):
    if hosts == 1:
        return ""
    service = f"{group.cluster}-{SERVICE_SUFFIX}"
    return ",".join(f"{group.name}-{replica}-{worker}.{service}" for worker in range(hosts))


def inject(container, group, replica, worker, hosts):
    variables = {"TPU_WORKER_ID": str(worker), "TPU_NAME": f"{group.name}-{replica}"}
    if hosts > 1 or not FIXED:
        variables["TPU_WORKER_HOSTNAMES"] = host_names(group, replica, hosts)
    environment = container.setdefault("env", [])
    present = {variable["name"] for variable in environment}
    environment += [
        {"name": name, "value": value} for name, value in variables.items() if name not in present]


serve(mutate)
