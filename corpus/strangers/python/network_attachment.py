"""Pod webhook of Spiderpool: attaches a Pod to all networks of a label, and requests their resources."""
import sys

from admission import Denied, serve
from spiderpool import multus

FIXED = sys.argv[1:] == ["fixed"]
NETWORKS = "k8s.v1.cni.cncf.io/networks"
INJECT = ("cni.spidernet.io/rdma-resource-inject", "cni.spidernet.io/network-resource-inject")


def mutate(pod, request):
    if FIXED and request["operation"] != "CREATE":
        return
    annotations = pod["metadata"].get("annotations") or {}
    for key in INJECT:
        if key not in annotations:
            continue
        configs = multus.labelled(key, annotations[key])
        if not configs:
            raise Denied(f"No spidermultusconfigs with annotation: {key}:{annotations[key]} found")
        try:
            inject(pod, configs)
        except multus.Invalid as problem:
            raise Denied(str(problem)) from problem
        return


def inject(pod, configs):
    for config in configs:
        multus.validate(config)
    attach(pod["metadata"]["annotations"], [multus.name_of(config) for config in configs])
    request_resources(pod["spec"]["containers"], {multus.resource_name(config) for config in configs} - {""})


def attach(annotations, names):
    if FIXED:
        annotations[NETWORKS] = ",".join(names)
        return
    for name in names:
        annotations[NETWORKS] = f"{annotations[NETWORKS]},{name}" if NETWORKS in annotations else name


def request_resources(containers, wanted):
    """One of each, in the first container, unless a container asks for it itself."""
    asked = set()
    for container in containers:
        asked |= set(container.get("resources", {}).get("limits", {}))
    for name in sorted(wanted - asked):
        containers[0].setdefault("resources", {}).setdefault("limits", {})[name] = "1"


serve(mutate)
