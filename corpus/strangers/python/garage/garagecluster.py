"""Defaults of a GarageCluster: layout, replication, and the two tiers of nodes."""
import os

LAYOUT_AUTO = "Auto"
CONSISTENT = "consistent"
STORAGE_REPLICAS = int(os.environ.get("GARAGE_DEFAULT_STORAGE_REPLICAS", "3"))
GATEWAY_REPLICAS = int(os.environ.get("GARAGE_DEFAULT_GATEWAY_REPLICAS", "2"))


class Defaulter:
    def __init__(self, honor_zero_replicas):
        self._honor_zero = honor_zero_replicas

    def default(self, cluster):
        spec = cluster.setdefault("spec", {})
        if not spec.get("layoutPolicy"):
            spec["layoutPolicy"] = LAYOUT_AUTO
        self._replication(spec)
        self._tier(spec.get("storage"), STORAGE_REPLICAS)
        self._tier(spec.get("gateway"), GATEWAY_REPLICAS)
        self._node_local_pools(spec.get("storage") or {})
        self._drain(spec.get("layoutManagement") or {})

    @staticmethod
    def _replication(spec):
        replication = spec.get("replication")
        if replication is None:
            replication = spec["replication"] = {}
        if not replication.get("factor"):  # the schema has a minimum of 1
            replication["factor"] = 3
        if not replication.get("consistencyMode"):
            replication["consistencyMode"] = CONSISTENT

    def _tier(self, tier, replicas):
        """A tier that the user left out stays out: it is no tier of that cluster."""
        if tier is None:
            return
        if self._honor_zero:
            if tier.get("replicas") is None:
                tier["replicas"] = replicas
        elif not tier.get("replicas"):
            tier["replicas"] = replicas

    @staticmethod
    def _node_local_pools(storage):
        for pool in storage.get("nodeLocalPools") or []:
            for volume in (pool.get("metadata"), pool.get("data"), *(pool.get("dataPaths") or [])):
                if volume is not None and not volume.get("hostPathType"):
                    volume["hostPathType"] = "Directory"

    @staticmethod
    def _drain(management):
        drain = management.get("drain")
        if drain is not None and not drain.get("unverifiedPeersPolicy"):
            drain["unverifiedPeersPolicy"] = "Block"
