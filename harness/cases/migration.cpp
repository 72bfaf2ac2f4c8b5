#include "harness/cases/migration.h"

#include <algorithm>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::cases {

std::span<const Migration> all_migrations() { return {}; }

namespace {

constexpr std::string_view kGroup = "fixpoint/";

Result<Value> migrate_one(Value value, std::span<const Migration> migrations) {
  // The number of steps is bounded, so that a table with a cycle ends, too.
  for (std::size_t steps = 0; steps <= migrations.size(); ++steps) {
    const std::string version(value["apiVersion"].text());
    if (!version.starts_with(kGroup) || version == kApiVersion) return value;
    const auto row = std::find_if(migrations.begin(), migrations.end(),
                                  [&](const Migration& migration) { return migration.from == version; });
    if (row == migrations.end()) break;
    auto next = row->step(std::move(value));
    if (!next) return next;
    value = *std::move(next);
    value.set("apiVersion", row->to);
  }
  return Error{"expected \"" + std::string(kApiVersion) + "\" or a version that it followed, found \"" +
                   std::string(value["apiVersion"].text()) + "\"",
               "/apiVersion"};
}

}  // namespace

Result<Value> migrate(Value value, std::span<const Migration> migrations) {
  auto outer = migrate_one(std::move(value), migrations);
  if (!outer || !(*outer)["case"].is_object()) return outer;
  auto inner = migrate_one((*outer)["case"], migrations);
  if (!inner) return Error{inner.error().message, "/case" + inner.error().place};
  if (*inner != (*outer)["case"]) outer->set("case", *std::move(inner));
  return outer;
}

}  // namespace fixpoint::cases
