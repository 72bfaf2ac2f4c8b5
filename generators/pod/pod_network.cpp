#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

constexpr Feature kNetworkFeatures[] = {
    {"network/dns-policy", exotic, Place::spec,
     R"([{"dnsPolicy": "Default"}, {"dnsPolicy": "ClusterFirstWithHostNet"},
         {"dnsPolicy": "None", "dnsConfig": {"nameservers": ["10.0.0.10"]}}])"},
    {"network/dns-config", exotic, Place::spec,
     R"([{"dnsConfig": {"searches": ["svc.example"], "options": [{"name": "ndots", "value": "2"},
         {"name": "edns0"}]}},
         {"dnsConfig": {}}, {"dnsConfig": {"options": [{"name": "ndots", "value": "1"}, {"name": "ndots",
         "value": "5"}]}}])"},
    {"network/host-aliases", exotic, Place::spec,
     R"([{"hostAliases": [{"ip": "10.0.0.1", "hostnames": ["a", "b"]}]}, {"hostAliases": []}])"},
    {"network/host-alias-twice",
     exotic,
     Place::spec,
     {},
     [](PodBuilder&, Value& at) {
       at.set("hostAliases", Value::list({Value{{"ip", "10.0.0.1"}, {"hostnames", Value::list({"a"})}},
                                          Value{{"ip", "10.0.0.1"}, {"hostnames", Value::list({"b"})}}}));
     }},
    {"network/hostname", exotic, Place::spec,
     R"([{"hostname": "web-0", "subdomain": "web"}, {"hostname": "web-0"}])"},
    {"network/fqdn", exotic, Place::spec, R"([{"setHostnameAsFQDN": true}, {"setHostnameAsFQDN": false}])"},
    {"network/loopback-only", exotic, Place::container,
     R"({"args": ["--listen=127.0.0.1:8080"], "readinessProbe": {"httpGet": {"host": "127.0.0.1",
         "port": 8080}}})"},
    {"network/mesh-exclusion", exotic, Place::metadata,
     R"([{"annotations": {"sidecar.istio.io/inject": "false"}},
         {"labels": {"sidecar.istio.io/inject": "true"}},
         {"annotations": {"linkerd.io/inject": "enabled"}},
         {"annotations": {"traffic.sidecar.istio.io/includeInboundPorts": ""}}])"},
    {"network/host-network-alone", exotic, Place::spec,
     R"({"hostNetwork": true, "dnsPolicy": "ClusterFirstWithHostNet"})",
     [](PodBuilder&, Value& at) {
       for (std::size_t i = 0; i < at["containers"].size(); ++i)
         at.edit("containers").edit(i).remove("ports");
       for (std::size_t i = 0; i < at["initContainers"].size(); ++i)
         at.edit("initContainers").edit(i).remove("ports");
     }},
    {"network/dns-none", defect, Place::spec, R"({"dnsPolicy": "None"})"},
    {"network/bad-alias", defect, Place::spec,
     R"({"hostAliases": [{"ip": "10.0.0.300", "hostnames": ["a"]}]})"},
    {"network/bad-hostname", defect, Place::spec, R"({"hostname": "Web_0"})"},
    {"network/bad-dns-policy", defect, Place::spec, R"({"dnsPolicy": "clusterfirst"})"},
};

}  // namespace

std::span<const Feature> network_features() { return kNetworkFeatures; }

}  // namespace fixpoint::generators
