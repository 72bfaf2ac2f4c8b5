"""SpiderMultusConfigs: which of them a Pod asks for, and what each of them needs."""
import functools
import json
import re
import urllib.parse

from cluster.cache import Api

PATH = "/apis/spiderpool.spidernet.io/v2beta1/spidermultusconfigs"
# The member of the spec that holds the settings of a CNI type, and where its RDMA resource is named.
SETTINGS = {
    "macvlan": ("macvlan", "rdmaResourceName"),
    "ipvlan": ("ipvlan", "rdmaResourceName"),
    "vlan": ("vlan", "rdmaResourceName"),
    "sriov": ("sriov", "resourceName"),
    "ib-sriov": ("ibsriov", "resourceName"),
    "ipoib": ("ipoib", "master"),
}


class Invalid(Exception):
    pass


@functools.cache
def api():
    return Api()


def labelled(key, value):
    """The configurations of all namespaces that carry the label, in a stable order; none for what no label may be."""
    if not re.fullmatch(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?", value):
        return []
    query = urllib.parse.urlencode({"labelSelector": f"{key}={value}"})
    with api().open(f"{PATH}?{query}") as response:
        items = json.load(response)["items"]
    return sorted(items, key=name_of)


def name_of(config):
    return f"{config['metadata']['namespace']}/{config['metadata']['name']}"


def validate(config):
    kind = config["spec"].get("cniType")
    if kind not in SETTINGS:
        raise Invalid(f"RDMA resource injection does not support cniType: {kind}")
    member, resource = SETTINGS[kind]
    settings = config["spec"].get(member) or {}
    if not settings.get(resource):
        raise Invalid(f"rdmaResourceName can not empty for spidermultusconfig {name_of(config)}")
    pools = settings.get("ippools") or {}
    if not pools.get("ipv4") and not pools.get("ipv6"):
        raise Invalid(f"no any ippools configured for spidermultusconfig {name_of(config)}")


def resource_name(config):
    """The extended resource that a Pod attached to the network has to request, if any."""
    kind = config["spec"]["cniType"]
    if kind == "ipoib":
        return ""
    member, resource = SETTINGS[kind]
    return config["spec"][member][resource]
