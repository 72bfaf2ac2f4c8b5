"""Admiralty: makes a proxy Pod, which runs on a virtual node, of every Pod that elects multi-cluster."""
import json
import os
import sys

from admission import serve
from multicluster import source

FIXED = sys.argv[1:] == ["fixed"]
PREFIX = source.PREFIX
ELECT = PREFIX + "elect"
CONSTRAINTS = PREFIX + "proxy-pod-scheduling-constraints"
USE_SPEC = PREFIX + "use-constraints-from-spec-for-proxy-pod-scheduling"
HAS_FINALIZER = PREFIX + "has-finalizer"
PROVIDER, ADMIRALTY = "virtual-kubelet.io/provider", "admiralty"
PROXY_SCHEDULER = "admiralty-proxy"
# Finalizers of the targets, by the namespace of the Pods that may be delegated there.
KNOWN_FINALIZERS = json.loads(os.environ.get("KNOWN_FINALIZERS", "{}"))


def source_of(pod):
    """The source Pod: the Pod itself, or what an earlier call saved of it."""
    annotations = pod["metadata"]["annotations"]
    if source.MANIFEST not in annotations:
        return source.remember(pod)
    saved = {} if FIXED else None
    source.unmarshal(annotations[source.MANIFEST], saved)
    return saved


def replace(spec, field, value):
    if value:
        spec[field] = value
    else:
        spec.pop(field, None)


def add_constraints(spec, wanted):
    """Lets the virtual node be chosen among several."""
    spec["nodeSelector"].update(wanted.get("nodeSelector") or {})
    for toleration in wanted.get("tolerations") or []:
        if toleration not in spec["tolerations"]:
            spec["tolerations"].append(toleration)
    replace(spec, "affinity", wanted.get("affinity"))
    replace(spec, "topologySpreadConstraints", wanted.get("topologySpreadConstraints"))


def restrict_to_virtual_nodes(spec):
    spec["nodeSelector"] = {PROVIDER: ADMIRALTY}
    spec["tolerations"] = [
        {"key": PROVIDER, "value": ADMIRALTY},
        # Some route controllers believe that a virtual node has no network.
        {"key": "node.kubernetes.io/network-unavailable", "operator": "Exists"},
    ]
    # The target cluster respects the others, which it reads in the source manifest.
    replace(spec, "affinity", None)
    replace(spec, "topologySpreadConstraints", None)


def set_finalizers(metadata, namespace):
    kept = [name for name in metadata.get("finalizers") or [] if not name.startswith(PREFIX)]
    finalizers = kept + KNOWN_FINALIZERS.get(namespace, [])
    if finalizers:
        metadata["finalizers"] = finalizers
    else:
        metadata.pop("finalizers", None)


def mutate(pod, request):
    metadata, spec = pod["metadata"], pod["spec"]
    metadata["namespace"] = request["namespace"]
    annotations = metadata.get("annotations") or {}
    if ELECT not in annotations:
        return
    original = source_of(pod)
    restrict_to_virtual_nodes(spec)
    if CONSTRAINTS in annotations:
        add_constraints(spec, source.strict(annotations[CONSTRAINTS]))
    elif USE_SPEC in annotations:
        add_constraints(spec, original["spec"])
    spec["schedulerName"] = PROXY_SCHEDULER
    spec["terminationGracePeriodSeconds"] = 0
    set_finalizers(metadata, request["namespace"])
    metadata["labels"] = (metadata.get("labels") or {}) | {HAS_FINALIZER: "true"}


serve(mutate)
