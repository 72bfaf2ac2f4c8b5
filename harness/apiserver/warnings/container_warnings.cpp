#include <algorithm>

#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/warnings/warning_parts.h"

namespace fixpoint::apiserver::warnings {

namespace {

/// `written` are the amounts as they are sent: thousandths of a number that is written out,
/// 10000000000000000, overflow, those of its canonical form, 10P, do not.
void warn_of_amounts(Warner& warner, const Value& amounts, const Value& written, const Path& path) {
  static constexpr Name kNames[] = {"memory", "ephemeral-storage"};
  for (const Name& name : kNames) {
    const Value& amount = amounts[name];
    if (amount.is_null()) continue;
    if (!is_fractional(amount) && !is_fractional(written[name])) continue;
    warner.add(path.key(name.text),
               "fractional byte value " + quoted(amount.text()) + " is invalid, must be an integer");
  }
}

/// Returns true if the variable replaces an earlier definition rather than extending it.
bool hides(const Value& variable, std::string_view name) {
  const std::string reference = std::string("$(").append(name).append(")");
  const std::string_view value = variable["value"].text();
  return !variable["valueFrom"].is_null() || value == reference ||
         value.find(reference) == std::string_view::npos;
}

/// A container port with its path.
struct Placed {
  const Value* port;
  std::string place;
};

void warn_of_clash(Warner& warner, const Placed& now, const Placed& other) {
  const auto is_same = [&](const char* member) { return (*now.port)[member] == (*other.port)[member]; };
  const auto is_absent = [](const Placed& placed, const char* member) {
    return (*placed.port)[member].text().empty();
  };
  std::string_view kind;
  if (is_same("hostIP") && is_same("hostPort")) {
    kind = "duplicate";
  } else if (is_absent(now, "hostPort") || is_absent(other, "hostPort")) {
    kind = "overlapping";
  } else if (is_same("hostPort") && is_absent(now, "hostIP") != is_absent(other, "hostIP")) {
    kind = "dangerously ambiguous";
  } else {
    return;
  }
  warner.add(now.place + ": " + std::string(kind) + " port definition with " + other.place);
}

/// Added after all clashes: if there are too many warnings, the last ones are dropped.
void warn_of_port_names(Warner& warner, const std::vector<Placed>& ports) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string_view name = (*ports[i].port)["name"].text();
    if (name.empty()) continue;
    const auto first = std::find_if(ports.begin(), ports.end(), [&](const Placed& placed) {
      return (*placed.port)["name"].text() == name;
    });
    if (first->place == ports[i].place) continue;
    warner.add(ports[i].place + ": duplicate port name " + quoted(name) + " with " + first->place +
               ", services and probes that select ports by name will use " + first->place);
  }
}

std::string as_go_struct(const Value& port) {
  const auto text = [&](const char* member) { return std::string(port[member].text()); };
  return "{Name:" + text("name") + " HostPort:0 ContainerPort:" + text("containerPort") +
         " Protocol:" + text("protocol") + " HostIP:" + text("hostIP") + "}";
}

}  // namespace

bool is_fractional(const Value& quantity) {
  if (quantity.is_null()) return false;
  const auto amount = Quantity::parse(quantity.text());
  return amount && amount->scaled(-3) % 1000 != 0;
}

void warn_of_resources(Warner& warner) {
  const Path& spec_path = warner.spec_path();
  const auto warn_of_container = [&](const Value& container, const Value& sent, const Path& path) {
    const Path resources_path = path.child("resources");
    const Value &limits = sent["resources"]["limits"], &requests = sent["resources"]["requests"];
    warn_of_amounts(warner, container["resources"]["limits"], limits, resources_path.child("limits"));
    // Requests that are absent become those of the limits.
    warn_of_amounts(warner, container["resources"]["requests"], requests.is_null() ? limits : requests,
                    resources_path.child("requests"));
  };
  warn_of_amounts(warner, warner.spec()["overhead"], warner.sent_spec()["overhead"],
                  spec_path.child("overhead"));
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    const Path list_path = spec_path.child(list);
    for (std::size_t i = 0; i < warner.spec()[list].size(); ++i)
      warn_of_container(warner.spec()[list].at(i), warner.sent_spec()[list].at(i), list_path.at(i));
  }
}

void warn_of_env(Warner& warner) {
  const std::string_view rest =
      warner.minor() >= kApplyDropsEnvSince ? ", which may be dropped when using apply" : "";
  validation::for_each_container(
      warner.spec(), warner.spec_path(), [&](const Value& container, const Path& path) {
        const Value& env = container["env"];
        const Path env_path = path.child("env");
        validation::Names seen;
        for (std::size_t i = 0; i < env.size(); ++i) {
          const std::string_view name = env.at(i)["name"].text();
          if (seen.insert(name) || !hides(env.at(i), name)) continue;
          warner.add(env_path.at(i), "hides previous definition of " + quoted(name).append(rest));
        }
      });
}

void warn_of_ports(Warner& warner) {
  std::vector<Placed> ports;
  validation::for_each_container(warner.spec(), warner.spec_path(),
                                 [&](const Value& container, const Path& path) {
                                   const Path ports_path = path.child("ports");
                                   for (std::size_t i = 0; i < container["ports"].size(); ++i) {
                                     ports.push_back({&container["ports"].at(i), ports_path.at(i).text()});
                                   }
                                 });
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Value& port = *ports[i].port;
    if (!port["hostIP"].text().empty() && port["hostPort"].is_null()) {
      warner.add(ports[i].place + ": hostIP set without hostPort: " + as_go_struct(port));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Value& other = *ports[j].port;
      if (port["containerPort"] == other["containerPort"] && port["protocol"] == other["protocol"]) {
        warn_of_clash(warner, ports[i], ports[j]);
      }
    }
  }
  if (warner.minor() >= kPortNamesSince) warn_of_port_names(warner, ports);
}

}  // namespace fixpoint::apiserver::warnings
