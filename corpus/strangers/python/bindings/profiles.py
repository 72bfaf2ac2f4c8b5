"""What the binding webhook reads of the cluster: bindings of a namespace and the profiles that they name."""
import functools
import time

from cluster.cache import Cache

GROUP = "/apis/security-profiles-operator.x-k8s.io"
PATHS = {
    "ProfileBinding": GROUP + "/v1alpha1/profilebindings",
    "SeccompProfile": GROUP + "/v1beta1/seccompprofiles",
    "SelinuxProfile": GROUP + "/v1alpha2/selinuxprofiles",
}
ATTEMPTS, PAUSE = 3, 0.05


class NotReady(Exception):
    """The profile is missing, or the operator has not installed it yet."""


@functools.cache
def informer(kind):
    return Cache(PATHS[kind])


def bindings(namespace):
    found = [item for item in informer("ProfileBinding").all() if item["metadata"]["namespace"] == namespace]
    return sorted(found, key=lambda item: item["metadata"]["name"])


def profile(kind, namespace, name):
    """The profile once it has a status, after a few tries."""
    for attempt in range(ATTEMPTS):
        item = informer(kind).get(namespace, name)
        if item is not None and item.get("status", {}).get("status"):
            return item
        if attempt + 1 < ATTEMPTS:
            time.sleep(PAUSE)
    if item is None:
        raise NotReady(f'getting profile: {kind.lower()}s "{name}" not found')
    raise NotReady("getting profile: profile hasn't been initialized with status")
