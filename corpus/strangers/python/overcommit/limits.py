"""What the LimitRanges of a namespace demand of each of its containers."""
import functools
import json
import urllib.error

from cluster.cache import Api, Cache
from overcommit import quantity


@functools.cache
def informer(path):
    return Cache(path)


def namespace(name):
    """The namespace, read from the API server where the cache has not heard of it yet."""
    found = informer("/api/v1/namespaces").get("", name)
    if found is not None:
        return found
    try:
        with Api().open(f"/api/v1/namespaces/{name}") as response:
            return json.load(response)
    except urllib.error.HTTPError:
        return None


def container_limits(name):
    for item in informer("/api/v1/limitranges").all():
        if item["metadata"]["namespace"] == name:
            yield from (limit for limit in item["spec"]["limits"] if limit["type"] == "Container")


def bounds(name, resource):
    """The least and the greatest that every LimitRange allows, or None."""
    floors, ceilings = [], []
    for limit in container_limits(name):
        if resource in (limit.get("min") or {}):
            floors.append(quantity.parse(limit["min"][resource]))
        if resource in (limit.get("max") or {}):
            ceilings.append(quantity.parse(limit["max"][resource]))
    return max(floors, default=None), min(ceilings, default=None)
