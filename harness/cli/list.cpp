#include <algorithm>
#include <cstdio>

#include "harness/cli/claims.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/named_limits.h"
#include "harness/properties/packs/pack.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cli {

namespace {

std::string releases_of(std::span<const std::string_view> releases) {
  std::string text;
  for (std::string_view release : releases) text.append(text.empty() ? "@ " : ", ").append(release);
  return text;
}

void print_row(std::string_view name, std::string_view text) {
  std::printf("  %-28s %s\n", std::string(name).c_str(), std::string(text).c_str());
}

void list_as_json() {
  std::vector<Value> all, properties_list;
  for (const auto& injector : injectors::all()) {
    std::vector<Value> releases(injector.releases.begin(), injector.releases.end());
    all.push_back({{"name", injector.name},
                   {"role", injectors::word(injector.role)},
                   {"sentence", injector.sentence},
                   {"releases", std::move(releases)}});
  }
  for (const auto& row : injectors::all_reconcilers()) {
    std::vector<Value> releases(row.releases.begin(), row.releases.end());
    all.push_back({{"name", row.name},
                   {"role", "reconciler"},
                   {"sentence", row.sentence},
                   {"releases", std::move(releases)}});
  }
  for (const Claim& property : claims(injectors::bundled().catalog)) {
    Value row{{"name", property.name}, {"claim", property.text}};
    if (!property.pack.empty()) row.set("pack", property.pack);
    properties_list.push_back(std::move(row));
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
    if (injector.role == injectors::Role::defect) continue;
    print_row(injector.name, injector.sentence);
    if (!injector.releases.empty()) print_row("", releases_of(injector.releases));
  }
  std::puts("\nReconcilers (the same):");
  for (const auto& row : injectors::all_reconcilers()) {
    print_row(row.name, row.sentence);
    print_row("", releases_of(row.releases));
  }
  std::puts("\nPlanted defects, each with its fixed variant NAME@fixed:");
  for (const auto& injector : injectors::all()) {
    if (injector.role == injectors::Role::defect) print_row(injector.name, injector.sentence);
  }
  std::puts("\nProperties (fixpoint explain NAME):");
  for (const Claim& property : claims(injectors::bundled().catalog))
    print_row(property.name, property.whole());
  std::puts("\nLimits on foreign input (--limit NAME=VALUE):");
  for (const document::NamedLimit& limit : document::named_limits()) {
    print_row(
        limit.name,
        std::string(limit.sentence).append("; ").append(document::value_of({}, limit)).append(" by default"));
  }
  return kNothingFound;
}

int version(const Arguments& arguments) {
  Options line("version", "The version of fixpoint, and the newest Kubernetes it knows.",
               "  fixpoint version");
  if (const auto code = line.parse(arguments)) return *code;
  std::printf("fixpoint %s, Kubernetes %s\n", FIXPOINT_VERSION, std::string(cases::kNewestVersion).c_str());
  return kNothingFound;
}

}  // namespace fixpoint::cli
