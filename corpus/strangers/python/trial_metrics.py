"""Adds the metrics collector to the Pods of a Trial, which the label of their Job names."""
from admission import Denied, serve
from cluster.cache import Cache
from trials import collector

LABEL = "katib.kubeflow.org/trial"
trials = Cache("/apis/kubeflow.org/v1beta1/trials")


def mutate(pod, request):
    name = (pod["metadata"].get("labels") or {}).get(LABEL)
    if not name:
        return
    spec = pod["spec"]
    every = spec["containers"] + (spec.get("initContainers") or [])
    if any(one["name"] == collector.NAME for one in every):
        return
    trial = trials.get(request["namespace"], name)
    if trial is None:
        raise Denied(f"Trial.kubeflow.org \"{name}\" not found")
    spec["containers"].append(collector.container(pod, trial))


serve(mutate)
