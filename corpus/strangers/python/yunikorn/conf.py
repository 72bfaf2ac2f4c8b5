"""Settings of the admission controller: yunikorn-configs over yunikorn-defaults over what is built in."""
import functools
import os
import re

from cluster.cache import Cache

NAMESPACE = os.environ.get("NAMESPACE", "yunikorn")
PREFIX = "admissionController."
BUILT_IN = {
    "filtering.processNamespaces": "",
    "filtering.bypassNamespaces": "^kube-system$",
    "filtering.labelNamespaces": "",
    "filtering.noLabelNamespaces": "",
    "filtering.generateUniqueAppId": "false",
    "filtering.defaultQueue": "root.default",
    "accessControl.bypassAuth": "false",
    "accessControl.trustControllers": "true",
    "accessControl.systemUsers": "^system:serviceaccount:kube-system:",
    "accessControl.externalUsers": "",
    "accessControl.externalGroups": "",
}


@functools.cache
def config_maps():
    return Cache(f"/api/v1/namespaces/{NAMESPACE}/configmaps")


def text(key):
    value = BUILT_IN[key]
    for name in ("yunikorn-defaults", "yunikorn-configs"):
        found = config_maps().get(NAMESPACE, name) or {}
        value = (found.get("data") or {}).get(PREFIX + key, value)
    return value.strip()


def flag(key):
    return text(key).lower() == "true"


def matches(key, subject):
    return any(re.search(pattern.strip(), subject) for pattern in text(key).split(",") if pattern.strip())


def is_empty(key):
    return text(key) == ""
