#include <algorithm>
#include <string>

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

void check_number(const Value& number, const Path& path, Errors& errors) {
  const std::int64_t port = number.integer().value_or(0);
  if (port < 1 || port > 65535) errors.invalid(path, number, Text("must be between 1 and 65535, inclusive"));
}

struct HostPort {
  std::string_view protocol, ip, port;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

}  // namespace

void check_ports(const Value& ports, const Path& path, Errors& errors) {
  constexpr std::string_view kProtocols[] = {"SCTP", "TCP", "UDP"};
  Names names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Path item = path.at(i);
    const Value& port = ports.at(i);
    if (const auto name = port["name"].text(); !name.empty()) {
      const Problems problems = check_port_name(name);
      errors.invalid(item.child("name"), name, problems);
      if (problems.empty() && !names.insert(name)) errors.duplicate(item.child("name"), name);
    }
    if (port["containerPort"].text() == "0") {
      errors.required(item.child("containerPort"));
    } else {
      check_number(port["containerPort"], item.child("containerPort"), errors);
    }
    if (!port["hostPort"].is_null()) check_number(port["hostPort"], item.child("hostPort"), errors);
    check_choice(port["protocol"], kProtocols, item.child("protocol"), errors);
  }
}

void check_host_ports(std::span<const Value> containers, const Path& path, Errors& errors) {
  std::vector<HostPort> taken;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Value& ports = containers[i]["ports"];
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const Value& port = ports.at(j);
      if (port["hostPort"].is_null()) continue;
      const HostPort wanted{port["protocol"].text(), port["hostIP"].text(), port["hostPort"].text()};
      if (std::find(taken.begin(), taken.end(), wanted) == taken.end()) {
        taken.push_back(wanted);
        continue;
      }
      const Path container_path = path.at(i), ports_path = container_path.child("ports"),
                 item = ports_path.at(j);
      const std::string text = std::string(wanted.protocol).append("/").append(wanted.ip).append("/");
      errors.duplicate(item.child("hostPort"), std::string(text).append(wanted.port));
    }
  }
}

void check_host_network_ports(Context& context, const Path& path) {
  if (!context.host_network) return;
  const Value& containers = context.spec["containers"];
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path container_path = path.at(i), ports_path = container_path.child("ports");
    const Value& ports = containers.at(i)["ports"];
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const std::int64_t host = ports.at(j)["hostPort"].integer().value_or(0);
      if (host == ports.at(j)["containerPort"].integer().value_or(0)) continue;
      if (context.is_template && host == 0) continue;
      const Path item = ports_path.at(j);
      context.errors.invalid(item.child("hostPort"), Value(host),
                             Text("must match `containerPort` when `hostNetwork` is true"));
    }
  }
}

}  // namespace fixpoint::apiserver::validation
