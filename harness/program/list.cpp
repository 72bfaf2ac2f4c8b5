#include <cstdio>

#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/program/program.h"
#include "harness/properties/property.h"
#include "injectors/catalog.h"

namespace fixpoint::program {

namespace {

std::string releases_of(const injectors::Injector& injector) {
  std::string text;
  for (std::string_view release : injector.releases) text.append(text.empty() ? "@ " : ", ").append(release);
  return text;
}

void list_as_json() {
  std::vector<Value> all, properties_list;
  for (const auto& injector : injectors::all()) {
    std::vector<Value> releases(injector.releases.begin(), injector.releases.end());
    all.push_back({{"name", injector.name},
                   {"role", injector.role == injectors::Role::peer ? "peer" : "subject"},
                   {"sentence", injector.sentence},
                   {"releases", std::move(releases)}});
  }
  for (const auto& property : properties::all()) {
    properties_list.push_back({{"name", property.name}, {"claim", property.claim}});
  }
  const Value out{{"injectors", std::move(all)}, {"properties", std::move(properties_list)}};
  std::printf("%s\n", document::write_json(out).c_str());
}

}  // namespace

int list(const Arguments& arguments) {
  bool json = false;
  Options line("list", "The bundled injectors with their releases, and the properties.", "  fixpoint list");
  line.flag("--json", json, "one JSON object");
  if (const auto code = line.parse(arguments)) return *code;
  if (json) {
    list_as_json();
    return kNothingFound;
  }
  std::puts("Injectors (fixpoint fuzz NAME, NAME@RELEASE):");
  for (const auto& injector : injectors::all()) {
    std::printf("  %-28s %s\n", std::string(injector.name).c_str(), std::string(injector.sentence).c_str());
    if (!injector.releases.empty()) std::printf("  %-28s %s\n", "", releases_of(injector).c_str());
  }
  std::puts("\nProperties (fixpoint explain NAME):");
  for (const auto& property : properties::all()) {
    std::printf("  %-28s %s\n", std::string(property.name).c_str(), std::string(property.claim).c_str());
  }
  return kNothingFound;
}

int explain(const Arguments& arguments) {
  std::string name;
  Options line("explain", "What a property claims.", "  fixpoint explain idempotent");
  line.positional("PROPERTY", name, "a name from `fixpoint list`", true);
  if (const auto code = line.parse(arguments)) return *code;
  if (const auto* property = properties::find(name)) {
    std::printf("%s\n  %s\n", std::string(property->name).c_str(), std::string(property->claim).c_str());
    return kNothingFound;
  }
  std::vector<std::string_view> names;
  for (const auto& property : properties::all()) names.push_back(property.name);
  return bad_input("there is no property \"" + name + "\"" + document::did_you_mean_suffix(name, names));
}

int version(const Arguments& arguments) {
  Options line("version", "The version of fixpoint, and the newest Kubernetes it knows.",
               "  fixpoint version");
  if (const auto code = line.parse(arguments)) return *code;
  std::printf("fixpoint %s, Kubernetes %s\n", FIXPOINT_VERSION, std::string(cases::kNewestVersion).c_str());
  return kNothingFound;
}

}  // namespace fixpoint::program
