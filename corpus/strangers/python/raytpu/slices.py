"""Which worker of which slice (replica of a worker group) comes next."""
import json
import sys
from collections import namedtuple

from cluster.cache import Api
from raytpu import tpu

Group = namedtuple("Group", "namespace cluster name")


class Memory:
    """Counts the Pods that this process has seen."""

    def __init__(self):
        self._workers = {}

    def next(self, group, hosts):
        """Replica and worker id of the group's next Pod."""
        slices = self._workers.setdefault(group, [])
        if hosts == 1:
            slices.append([len(slices)])
            return len(slices) - 1, slices[-1][0]
        if not slices or len(slices[-1]) == hosts:
            slices.append([])
        slices[-1].append(len(slices[-1]))
        return len(slices) - 1, slices[-1][-1]


class Cluster:
    """Looks at the Pods that are there."""

    def __init__(self):
        self._api = Api()

    def next(self, group, hosts):
        slices = self._slices(group)
        replica = 0
        while len(slices.get(replica, ())) >= hosts:
            replica += 1
        worker = 0
        while worker in slices.get(replica, ()):
            worker += 1
        return replica, worker

    def _slices(self, group):
        """Worker ids that are taken, by replica."""
        with self._api.open(f"/api/v1/namespaces/{group.namespace}/pods") as response:
            pods = json.load(response)["items"]
        slices = {}
        for pod in pods:
            labels = pod["metadata"].get("labels") or {}
            mine = labels.get("ray.io/cluster") == group.cluster and labels.get("ray.io/group") == group.name
            if not mine or pod.get("status", {}).get("phase", "Pending") not in ("Pending", "Running"):
                continue
            place = labels.get("replicaIndex", "").rpartition("-")[2]
            worker = worker_id(pod)
            if place.isdigit() and worker is not None:
                slices.setdefault(int(place), set()).add(worker)
        return slices


def worker_id(pod):
    for container in pod["spec"]["containers"]:
        for variable in container.get("env") or []:
            value = variable.get("value", "")
            if tpu.requested(container) and variable["name"] == "TPU_WORKER_ID" and value.isdigit():
                return int(value)
    print("TPU worker missing TPU_WORKER_ID", pod["metadata"]["name"], file=sys.stderr)
    return None
