#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/cases/minors.h"
#include "harness/differential/broken_rows_model.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// A question about a Pod that Kubernetes' own code was asked, and its answer.
struct Recorded {
  Value in;
  Value out;
  bool with_defaults;
  bool is_answered_so() const {
    // Written and read again, since a document remembers of which type it is.
    const Value sent =
        document::read_json(document::write_json(in), {}, document::Strictness::foreign).value();
    const auto pod = with_defaults ? defaulted_pod(sent, cases::kRecordedMinor)
                                   : received_pod(sent, cases::kRecordedMinor);
    return pod && *pod == out;
  }
};

std::vector<Recorded> recorded(const std::string& kind, const std::string& id) {
  std::vector<Recorded> lines;
  std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/" + kind + ".ndjson");
  for (std::string text; std::getline(in, text);) {
    const Value line = document::read_json(text, {}, document::Strictness::foreign).value();
    if (line["id"].text().starts_with(id) && line.find("out") != nullptr)
      lines.push_back({line["in"], line["out"], kind == "default"});
  }
  return lines;
}

/// Pods with every field of the API, full and zero, and null at each level.
const std::vector<Recorded>& every_field() {
  static const auto lines = recorded("decode", "every-field-");
  return lines;
}

bool is_red(const std::vector<Recorded>& lines) {
  return !std::all_of(lines.begin(), lines.end(), [](const Recorded& line) { return line.is_answered_so(); });
}

/// The number of broken rows, and the rows that no line detected.
struct Tally {
  int broken = 0;
  std::vector<std::string> unnoticed = {};
  void add(const std::string& name, bool red) {
    ++broken;
    if (!red) unnoticed.push_back(name);
  }
  int noticed() const { return broken - static_cast<int>(unnoticed.size()); }
  void print(const char* what) const {
    std::printf("%s: %d broken, %d noticed\n", what, broken, noticed());
    for (const std::string& name : unnoticed) std::printf("  not noticed: %s\n", name.c_str());
  }
};

/// Breaks the rows for which `breaks` returns another field, one at a time, and counts those that no line
/// detects. The Pod's own scalars are left out: kind and apiVersion are set whatever the table says.
template <typename Breaks>
Tally break_fields(const std::vector<Recorded>& lines, Breaks breaks) {
  EXPECT_GE(lines.size(), 10U);
  EXPECT_FALSE(is_red(lines)) << "red before anything is broken";
  Tally tally;
  for (const FieldRow& row : rows_of_a_pod()) {
    if (row.field->type == nullptr && row.type == &kPod) continue;
    const std::optional<Field> field = breaks(*row.field);
    if (!field) continue;
    const BrokenRow broken(*row.field, *field);
    tally.add(row.name(), is_red(lines));
  }
  EXPECT_FALSE(is_red(lines)) << "still red when all rows are whole again";
  return tally;
}

TEST(BrokenRows, AFieldThatIsNotKnownIsNoticed) {
  const Tally tally = break_fields(every_field(), [](const Field& field) -> std::optional<Field> {
    Field other = field;
    return (other.until = 1, other);
  });
  tally.print("fields unknown");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

TEST(BrokenRows, AFieldOfAnotherTypeIsNoticed) {
  const Tally tally = break_fields(every_field(), [](const Field& field) -> std::optional<Field> {
    Field other = field;
    if (field.shape == Shape::object) return std::nullopt;
    other.shape = field.shape == Shape::text ? Shape::boolean : Shape::text;
    return other;
  });
  tally.print("fields of another type");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

/// A pointer differs from a plain value in the output, except for times and raw values.
TEST(BrokenRows, APointerThatIsNoneIsNoticed) {
  const Tally tally = break_fields(every_field(), [](const Field& field) -> std::optional<Field> {
    Field other = field;
    if (field.is_always || field.many != Many::one || field.shape == Shape::raw || field.shape == Shape::time)
      return std::nullopt;
    other.is_pointer = !field.is_pointer;
    return other;
  });
  tally.print("pointers the other way");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

/// A struct is always written, so that the mark has no effect on it.
TEST(BrokenRows, AFieldThatIsWrittenWhenEmptyIsNoticed) {
  const Tally tally = break_fields(every_field(), [](const Field& field) -> std::optional<Field> {
    const bool is_struct =
        field.shape == Shape::object || field.shape == Shape::quantity || field.shape == Shape::int_or_text;
    if (is_struct && field.many == Many::one && !field.is_pointer) return std::nullopt;
    return field.is_always ? field.unless_zero() : field.always();
  });
  tally.print("written when empty the other way");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

TEST(BrokenRows, AnotherDefaultIsNoticed) {
  const Tally tally = break_fields(recorded("default", ""), [](const Field& field) -> std::optional<Field> {
    if (field.fallback_kind == Default::text) return field.fallback("another");
    if (field.fallback_kind == Default::number) return field.fallback_number("77");
    if (field.fallback_kind == Default::truth) return field.fallback_truth(false);
    if (field.fallback_kind == Default::falsity) return field.fallback_truth(true);
    return std::nullopt;
  });
  tally.print("other defaults");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

}  // namespace
}  // namespace fixpoint::apiserver
