"""Names of what the injector makes for a Pod."""


def secret_name(pod):
    """The name of the Secret for a Pod, or for the Pods of its owner."""
    metadata = pod["metadata"]
    name = metadata.get("name", "")
    owners = metadata.get("ownerReferences") or []
    if not name and owners:
        name = owners[0]["name"].rsplit("-", 1)[0]
    return "akv2k8s-" + name
