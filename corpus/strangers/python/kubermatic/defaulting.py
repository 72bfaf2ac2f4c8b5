"""Defaults of the ClusterSpec that depend on no cloud provider."""
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Defaults:
    apiserver_replicas: int
    node_port_range: str
    controller_manager_replicas: int
    scheduler_replicas: int

    @staticmethod
    def from_environment():
        """defaultComponentSettings of the Seed."""
        get = os.environ.get
        return Defaults(
            int(get("APISERVER_DEFAULT_REPLICAS", "2")), get("APISERVER_NODE_PORT_RANGE", "30000-32767"),
            int(get("CONTROLLER_MANAGER_DEFAULT_REPLICAS", "1")), int(get("SCHEDULER_DEFAULT_REPLICAS", "1")))

    def apply(self, cluster):
        spec = cluster["spec"]
        self._network(spec)
        self._components(spec)
        if not spec.get("exposeStrategy"):
            spec["exposeStrategy"] = os.environ.get("EXPOSE_STRATEGY", "NodePort")

    @staticmethod
    def _network(spec):
        network = spec.setdefault("clusterNetwork", {})
        services, pods = network.setdefault("services", {}), network.setdefault("pods", {})
        if not services.get("cidrBlocks"):
            services["cidrBlocks"] = ["10.240.16.0/20"]
        if not pods.get("cidrBlocks"):
            # KubeVirt's own Pods take the usual range already.
            pods["cidrBlocks"] = ["172.26.0.0/16" if "kubevirt" in spec.get("cloud", {}) else "172.25.0.0/16"]
        if not network.get("dnsDomain"):
            network["dnsDomain"] = "cluster.local"
        if not network.get("proxyMode"):
            # IPVS does not go with Hetzner's load balancers.
            network["proxyMode"] = "iptables" if "hetzner" in spec.get("cloud", {}) else "ipvs"
        if network.get("nodeLocalDNSCacheEnabled") is None:
            network["nodeLocalDNSCacheEnabled"] = True

    def _components(self, spec):
        override = spec.setdefault("componentsOverride", {})
        for name, replicas in (("apiserver", self.apiserver_replicas),
                               ("controllerManager", self.controller_manager_replicas),
                               ("scheduler", self.scheduler_replicas)):
            component = override.setdefault(name, {})
            if component.get("replicas") is None:
                component["replicas"] = replicas
        if not override["apiserver"].get("nodePortRange"):
            override["apiserver"]["nodePortRange"] = self.node_port_range
