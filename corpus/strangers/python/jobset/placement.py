"""Exclusive placement: one child Job per topology domain."""
from jobset import keys

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def priority_label(priority):
    """A label value must begin with a letter or digit, so -5 becomes n5."""
    return f"n{-priority}" if priority < 0 else str(priority)


def set_exclusive_affinities(pod):
    """The leader looks for a domain where its own Job may be, and no other Job of the same priority is."""
    topology = keys.annotations(pod)[keys.EXCLUSIVE_TOPOLOGY]
    job = keys.labels(pod).get(keys.JOB_KEY, "")
    affinity = pod["spec"].setdefault("affinity", {})
    together = affinity.setdefault("podAffinity", {}).setdefault(REQUIRED, [])
    apart = affinity.setdefault("podAntiAffinity", {}).setdefault(REQUIRED, [])
    add_term(together, topology, [requirement(keys.JOB_KEY, "In", job)])
    add_term(apart, topology, [
        {"key": keys.JOB_KEY, "operator": "Exists"},
        requirement(keys.JOB_KEY, "NotIn", job),
        requirement(keys.PRIORITY, "In", keys.labels(pod).get(keys.PRIORITY, "")),
    ])


def requirement(key, operator, value):
    return {"key": key, "operator": operator, "values": [value]}


def add_term(terms, topology, expressions):
    selector = {"matchExpressions": expressions}
    term = {"labelSelector": selector, "topologyKey": topology, "namespaceSelector": {}}
    if term not in terms:
        terms.append(term)


def leader_name(pod):
    """Name of the Pod with completion index 0 of the same child Job, without its random suffix."""
    parts = []
    for key in (keys.JOBSET_NAME, keys.REPLICATED_JOB_NAME, keys.JOB_INDEX):
        if key not in keys.labels(pod):
            raise LookupError(f"pod missing label: {key}")
        parts.append(keys.labels(pod)[key])
    return "-".join([*parts, "0"])


def find_leader(pods, pod, namespace):
    """The one live leader, owned by the follower's own Job."""
    wanted = leader_name(pod)
    found = [
        other for other in pods
        if other["metadata"]["namespace"] == namespace
        and other["metadata"]["name"].rpartition("-")[0] == wanted
        and "deletionTimestamp" not in other["metadata"]
        and other.get("status", {}).get("phase") not in ("Failed", "Succeeded")
    ]
    if len(found) != 1:
        raise LookupError(f"expected 1 leader pod ({wanted}), but got {len(found)}. "
                          "this is an expected, transient error")
    mine, theirs = keys.controller_of(pod), keys.controller_of(found[0])
    if mine is None:
        raise LookupError("follower pod has no owner reference")
    if theirs is None or mine["uid"] != theirs["uid"]:
        raise LookupError("follower and leader pod belong to different Jobs")
    return found[0]
