#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

void numbered(PodBuilder& builder, Value& port) { port.set("containerPort", builder.word(NameKind::port)); }

/// Gives the port the name of an injected one, with another number.
void named(PodBuilder& builder, Value& port) {
  port.set("name", builder.word(NameKind::port_name));
  port.set("containerPort", builder.c.between(9000, 9099));
}

void of_a_host(PodBuilder& builder, Value& container) {
  const int number = builder.c.between(20000, 29999);
  container.edit("ports").push_back({{"containerPort", number}, {"hostPort", number}});
}

/// Switches to the host's network, where the API server wants every port to be a host port, too.
void host_network(PodBuilder&, Value& spec) {
  for (const char* list : {"containers", "initContainers"}) {
    for (std::size_t i = 0; i < spec[list].size(); ++i) {
      for (std::size_t j = 0; j < spec[list].at(i)["ports"].size(); ++j) {
        Value& port = spec.edit(list).edit(i).edit("ports").edit(j);
        if (port["hostPort"].is_null()) port.set("hostPort", port["containerPort"]);
      }
    }
  }
}

/// Takes a port on the host's network that a webhook's own container listens on, too.
void taken_on_the_host(PodBuilder& builder, Value& spec) {
  const Value number = builder.word(NameKind::port);
  spec.edit("containers").edit(0).edit("ports").push_back({{"containerPort", number}, {"hostPort", number}});
  host_network(builder, spec);
}

constexpr Feature kPortFeatures[] = {
    {"ports/number", common, Place::port, {}, numbered},
    {"ports/named", common, Place::port, {}, named},
    {"ports/tcp-and-udp", exotic, Place::container,
     R"([{"ports": [{"containerPort": 9094, "protocol": "TCP"}, {"containerPort": 9094, "protocol": "UDP"}]},
         {"ports": [{"name": "dns", "containerPort": 5353, "protocol": "UDP"},
                    {"name": "dns-tcp", "containerPort": 5353, "protocol": "TCP"}]}])"},
    {"ports/same-twice", exotic, Place::container,
     R"({"ports": [{"containerPort": 8085}, {"containerPort": 8085, "name": "b"}]})"},
    {"ports/same-name-in-containers",
     exotic,
     Place::spec,
     {},
     [](PodBuilder&, Value& spec_at) {
       for (std::size_t i = 0; i < spec_at["containers"].size(); ++i) {
         const int number = 7000 + static_cast<int>(i);
         spec_at.edit("containers")
             .edit(i)
             .edit("ports")
             .push_back({{"name", "shared"}, {"containerPort", number}});
       }
     }},
    {"ports/of-the-host", exotic, Place::container, {}, of_a_host},
    {"ports/host-ip", exotic, Place::port, R"({"containerPort": 8446, "hostIP": "127.0.0.1"})"},
    {"ports/sctp", exotic, Place::port, R"({"containerPort": 3868, "protocol": "SCTP"})"},
    {"ports/longest-name", exotic, Place::port, R"({"containerPort": 8447, "name": "a-15-byte-name0"})"},
    {"ports/highest", exotic, Place::port, R"([{"containerPort": 65535}, {"containerPort": 1}])"},
    {"ports/host-network", exotic, Place::spec, R"({"hostNetwork": true})", host_network},
    {"ports/taken-on-the-host", exotic, Place::spec, R"({"hostNetwork": true})", taken_on_the_host},
    {"ports/several", exotic, Place::container,
     R"({"ports": [{"name": "http1", "containerPort": 8080}, {"name": "grpc", "containerPort": 8081},
                   {"name": "http-usermetric", "containerPort": 9091}]})"},
    {"ports/zero", defect, Place::port, R"([{"containerPort": 0}, {}, {"name": "none"}])"},
    {"ports/name-twice", defect, Place::container,
     R"({"ports": [{"name": "same", "containerPort": 1001}, {"name": "same", "containerPort": 1002}]})"},
    {"ports/host-port-twice", defect, Place::container,
     R"({"ports": [{"containerPort": 1003, "hostPort": 1003}, {"containerPort": 1004, "hostPort": 1003}]})"},
    {"ports/too-long-name", defect, Place::port, R"({"containerPort": 8448, "name": "sixteen-bytes-it"})"},
    {"ports/host-network-without-host-port", defect, Place::spec, R"({"hostNetwork": true, "hostPID": true})",
     [](PodBuilder&, Value& spec_at) {
       spec_at.edit("containers")
           .edit(0)
           .edit("ports")
           .push_back({{"containerPort", 1005}, {"hostPort", 1006}});
     }},
};

}  // namespace

std::span<const Feature> port_features() { return kPortFeatures; }

}  // namespace fixpoint::generators
