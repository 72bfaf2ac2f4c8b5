"""Annotations of namespaces and priority classes that steer the admission."""
import functools

from cluster.cache import Cache

ENABLE_YUNIKORN = "yunikorn.apache.org/namespace.enableYuniKorn"
GENERATE_APP_ID = "yunikorn.apache.org/namespace.generateAppId"
ALLOW_PREEMPTION = "yunikorn.apache.org/allow-preemption"


@functools.cache
def informer(path):
    return Cache(path)


def annotation(item, key):
    return ((item or {}).get("metadata", {}).get("annotations") or {}).get(key)


def namespace_flag(namespace, key):
    """True, False, or None where the namespace says nothing."""
    value = annotation(informer("/api/v1/namespaces").get("", namespace), key)
    return None if value is None else value == "true"


def preempt_self_allowed(priority_class):
    found = informer("/apis/scheduling.k8s.io/v1/priorityclasses").get("", priority_class)
    return annotation(found, ALLOW_PREEMPTION) != "false"
