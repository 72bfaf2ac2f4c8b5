"""ClusterResourceOverride: overcommits a cluster, by requests and limits made of the users' limits."""
import json
import os
import re
import sys

from admission import Denied, serve
from cluster.cache import Api
from overcommit import limits
from overcommit.override import Override

FIXED = sys.argv[1:] == ["fixed"]
DISABLED = "autoscaling.openshift.io/cluster-resource-override-enabled"
NAMESPACE = os.environ.get("OPERAND_NAMESPACE", "clusterresourceoverride-operator")
CONFIGURATION = "clusterresourceoverride-configuration"
KEYS = ("memoryRequestToLimitPercent", "cpuRequestToLimitPercent", "limitCPUToMemoryPercent")
_config = {}


def config():
    """The percentages of the ConfigMap, which the operator writes; it restarts the webhook for a new one."""
    if not _config:
        with Api().open(f"/api/v1/namespaces/{NAMESPACE}/configmaps/{CONFIGURATION}") as response:
            text = json.load(response)["data"]["configuration.yaml"]
        for key in KEYS:
            found = re.search(rf"^\s*{key}:\s*(\d+)\s*$", text, re.MULTILINE)
            _config[key] = int(found[1]) if found else 0
    return _config


def is_exempt(name):
    if name in ("openshift", "kubernetes", "kube") or name.startswith(("openshift-", "kubernetes-", "kube-")):
        return True
    namespace = limits.namespace(name)
    if namespace is None:
        raise Denied(f'namespace "{name}" not found')
    return (namespace["metadata"].get("annotations") or {}).get(DISABLED, "true") != "true"


def mutate(pod, request):
    name = request["namespace"]
    if request["operation"] != "CREATE" or is_exempt(name):
        return
    override = Override(config(), limits.bounds(name, "memory"), limits.bounds(name, "cpu"), ceilings=FIXED)
    for container in [*pod["spec"].get("initContainers", []), *pod["spec"]["containers"]]:
        override.apply(container)


serve(mutate)
