#include "harness/cases/renamed_keys.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "injectors/bundled.h"
#include "reports/events.h"

namespace fixpoint::cases {
namespace {

using document::Value;

constexpr auto kKeys = std::to_array<document::RenamedKey>(
    {kMessage, kEffect, kReason, kAllProperties, kChecked, kCasesWithoutEffect});

/// Removes one of the two names of each renamed key, at every depth, and counts what it removed.
void remove_keys(Value& value, const char* document::RenamedKey::* name, int& removed) {
  if (value.is_object()) {
    for (const document::RenamedKey& key : kKeys) removed += value.remove(key.*name) ? 1 : 0;
    for (auto& member : value.edit_members()) remove_keys(member.value, name, removed);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) remove_keys(value.edit(i), name, removed);
  }
}

/// Returns the document as the previous version wrote it, and as the next version will write it.
std::vector<Value> other_versions(const Value& document) {
  std::vector<Value> versions;
  for (const auto name : {&document::RenamedKey::now, &document::RenamedKey::before}) {
    int removed = 0;
    remove_keys(versions.emplace_back(document), name, removed);
    EXPECT_GT(removed, 0) << document::write_json(document);
  }
  return versions;
}

TEST(RenamedKeys, AFindingReadsTheSameUnderEitherName) {
  const auto& bundled = injectors::bundled();
  for (const auto& entry : std::filesystem::directory_iterator(FIXPOINT_SOURCE "/corpus/regressions")) {
    if (entry.path().extension() != ".json") continue;
    const auto documents = document::read_file(entry.path().string());
    ASSERT_TRUE(documents.ok()) << documents.error().text();
    Value stored = documents->front();
    stored.remove("expect");
    const auto read = [&](const Value& value) {
      return read_finding(value, bundled.known_injectors(), bundled.sequence_reader());
    };
    const auto original = read(stored);
    ASSERT_TRUE(original.ok()) << original.error().text();
    for (const Value& version : other_versions(stored)) {
      const auto again = read(version);
      ASSERT_TRUE(again.ok()) << again.error().text();
      EXPECT_EQ(*again, *original) << entry.path();
    }
  }
}

TEST(RenamedKeys, AStopEventReadsTheSameUnderEitherName) {
  runner::RunSummary summary{.why = "cases", .cases = 20, .all_properties = 3, .without_effect = 2};
  summary.properties["converges"] = {.asked = 20, .held = 20};
  summary.observe({.kind = "rewrites", .webhook = "c/w", .path = "spec.a", .because = "rewrites spec.a"}, 4);
  const Value stop = reports::stop_event(summary);
  for (const Value& version : other_versions(stop)) {
    const auto again = reports::read_stop_event(version);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(document::write_json(reports::stop_event(*again)), document::write_json(stop));
  }
}

}  // namespace
}  // namespace fixpoint::cases
