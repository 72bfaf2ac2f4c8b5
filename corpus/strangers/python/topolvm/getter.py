"""Reads claims one by one from the API server, and storage classes from a cache."""
import functools
import json
import urllib.error

from cluster.cache import Api, Cache

PLUGIN = "topolvm.cybozu.com"


class NotFound(Exception):
    pass


@functools.cache
def api():
    return Api()


@functools.cache
def storage_classes():
    return Cache("/apis/storage.k8s.io/v1/storageclasses")


def claim(namespace, name):
    try:
        with api().open(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims/{name}") as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise NotFound(f'persistentvolumeclaims "{name}" not found') from error
        raise


def is_target(name):
    """Whether TopoLVM provisions the storage class."""
    found = storage_classes().get("", name)
    return found is not None and found["provisioner"] == PLUGIN
