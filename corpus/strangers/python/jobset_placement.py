"""Pod webhook of JobSet: followers of an exclusively placed Job go where their leader went."""
import functools
import sys

from admission import serve
from cluster.cache import Cache
from jobset import keys, placement

FIXED = sys.argv[1:] == ["fixed"]


@functools.cache
def informer(path):
    """Started by the first read of a kind, as the manager's client does it."""
    return Cache(path)


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def topology_of(leader, key):
    """Node pool, rack or zone of the node that the leader runs on."""
    name = leader["spec"]["nodeName"]
    node = informer("/api/v1/nodes").get("", name)
    if node is None:
        log("getting node", name, "not found")
        if FIXED:
            raise LookupError(f'nodes "{name}" not found')
        return ""
    labels = node["metadata"].get("labels") or {}
    if key not in labels:
        raise LookupError(f"node does not have topology label: {key}")
    return labels[key]


def set_node_selector(pod, namespace):
    try:
        leader = placement.find_leader(informer("/api/v1/pods").all(), pod, namespace)
    except LookupError as problem:
        # The validating webhook refuses the follower; its Job makes another one later.
        log("finding leader pod for follower:", problem)
        return
    if not leader["spec"].get("nodeName"):
        return
    key = keys.annotations(pod)[keys.EXCLUSIVE_TOPOLOGY]
    value = topology_of(leader, key)
    pod["spec"].setdefault("nodeSelector", {})[key] = value


def mutate(pod, request):
    annotations = keys.annotations(pod)
    if keys.JOBSET_NAME not in annotations or keys.NODE_SELECTOR_STRATEGY in annotations:
        return
    priority = pod["spec"].get("priority")
    if priority is not None:
        pod["metadata"].setdefault("labels", {})[keys.PRIORITY] = placement.priority_label(priority)
    if keys.EXCLUSIVE_TOPOLOGY not in annotations:
        return
    if annotations.get(keys.COMPLETION_INDEX) == "0":
        placement.set_exclusive_affinities(pod)
    else:
        set_node_selector(pod, request["namespace"])


serve(mutate)
