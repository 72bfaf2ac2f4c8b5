"""Adds flagd to Pods that name a FeatureFlagConfiguration of their namespace."""
from admission import Denied, serve
from cluster.cache import Cache
from flagd import container as flagd

PREFIX = "openfeature.dev"
configurations = Cache("/apis/core.openfeature.dev/v1alpha1/featureflagconfigurations")


def wanted(pod):
    notes = pod["metadata"].get("annotations") or {}
    if notes.get(f"{PREFIX}/enabled") != "true":
        return None
    return notes.get(f"{PREFIX}/featureflagconfiguration")


def mutate(pod, request):
    name = wanted(pod)
    spec = pod["spec"]
    every = spec["containers"] + (spec.get("initContainers") or [])
    if name is None or any(one["name"] == flagd.NAME for one in every):
        return
    configuration = configurations.get(request["namespace"], name)
    if configuration is None:
        raise Denied(f"FeatureFlagConfiguration.core.openfeature.dev \"{name}\" not found")
    volume = flagd.volume(configuration)
    volumes = spec.setdefault("volumes", [])
    if any(one["name"] == volume["name"] and one.get("configMap", {}).get("name") != name for one in volumes):
        raise Denied(f"the volume {volume['name']} belongs to flagd")
    if not any(one["name"] == volume["name"] for one in volumes):
        volumes.append(volume)
    spec["containers"].append(flagd.container(configuration))


serve(mutate)
