"""TPU requests and topologies: how many hosts make one slice."""

RESOURCE = "google.com/tpu"
TOPOLOGY = "cloud.google.com/gke-tpu-topology"


def requested(container):
    """Chips that the container wants; the limit counts where it has no request."""
    resources = container.get("resources") or {}
    limit = int((resources.get("limits") or {}).get(RESOURCE, 0))
    request = int((resources.get("requests") or {}).get(RESOURCE, limit))
    return min(limit, request) if limit else request


def chips_per_host(containers):
    return max((requested(container) for container in containers), default=0)


def hosts(topology, chips):
    """4x4 with 4 chips a host makes 4 hosts."""
    total = 1
    for dimension in topology.split("x"):
        total *= int(dimension)
    return max(total // chips, 1)
