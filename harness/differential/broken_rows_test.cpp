#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/types/pod_types.h"
#include "harness/differential/broken_rows_model.h"
#include "harness/differential/differential_model.h"
#include "harness/oracle/oracle_schema.h"

namespace fixpoint::apiserver {
namespace {

constexpr std::size_t kRows = 40;

using oracle::Json;

/// The values of a specimen's fields.
enum class Filling { full, zero, null };

Json scalar_of(char kind, Filling filling) {
  static const std::map<char, Json> full{{'s', "text"}, {'b', true},
                                         {'i', 7},      {'l', 8},
                                         {'q', "0.5"},  {'t', "2024-05-06T09:08:09+02:00"},
                                         {'p', 8080},   {'r', Json::object()}};
  static const std::map<char, Json> zero{{'s', ""},  {'b', false},   {'i', 0}, {'l', 0},
                                         {'q', "0"}, {'t', nullptr}, {'p', 0}, {'r', nullptr}};
  return filling == Filling::full ? full.at(kind) : zero.at(kind);
}

/// Returns the object without its members that are objects or lists.
Json shallow(const Json& object) {
  Json result = Json::object();
  for (const auto& [name, member] : object.items()) {
    if (!member.is_structured()) result[name] = member;
  }
  return result;
}

/// Returns an object of the type with all of its fields. A list has two elements with the same scalars. From
/// the level `cut` on, objects, lists and maps are null.
Json specimen(const std::string& type, Filling filling, int cut, int level = 0) {
  Json object = Json::object();
  for (const oracle::Member& member : oracle::members_of(type)) {
    const bool is_scalar = !member.is_object() && member.many == 0;
    if (is_scalar ? filling == Filling::null && level > 0 : level >= cut) {
      object[member.name] = nullptr;
      continue;
    }
    Json one = member.is_object() ? specimen(member.kind, filling, cut, level + 1)
                                  : scalar_of(member.kind[0], filling);
    if (member.many == '[') one = Json::array({one, one.is_object() ? shallow(one) : one});
    if (member.many == '{') one = Json{{"key", one}};
    object[member.name] = std::move(one);
  }
  return object;
}

/// Returns questions with every field of a Pod, full and zero, and null at each level; and questions with two
/// containers of one name.
const std::vector<std::string>& specimens() {
  static const std::vector<std::string> all = [] {
    constexpr int kLevels = 9;
    std::vector<Json> pods{specimen("Pod", Filling::full, kLevels), specimen("Pod", Filling::zero, kLevels)};
    for (int cut = 1; cut <= kLevels; ++cut) pods.push_back(specimen("Pod", Filling::null, cut));
    for (const char* list : {"containers", "initContainers"})
      pods.push_back({{"spec", {{list, Json::array({{{"name", "a"}}, {{"name", "a"}}})}}}});
    std::vector<std::string> texts;
    for (Json& pod : pods) {
      pod["kind"] = "Pod";
      pod["apiVersion"] = "v1";
      for (const char* kind : {"default", "decode"}) {
        texts.push_back(oracle::write({{"kind", kind}, {"id", "specimen"}, {"in", pod}}));
        if (const std::string difference = difference_on(texts.back()); !difference.empty())
          ADD_FAILURE() << "red before anything is broken: " << difference;
      }
    }
    return texts;
  }();
  return all;
}

/// Returns true if the two sides differ on a specimen. A specimen that the reference model does not support
/// is ignored.
bool is_red() {
  const auto& texts = specimens();
  return std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    try {
      return !agree_on(text);
    } catch (const oracle::Unsupported&) {
      return false;
    }
  });
}

/// The number of broken rows, and the rows that no specimen detected.
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

/// Returns every row if FIXPOINT_ROWS is `all`, otherwise so many random ones.
template <typename Row>
std::vector<Row> some(std::vector<Row> rows, std::size_t count) {
  const char* said = std::getenv("FIXPOINT_ROWS");
  if ((said != nullptr && std::string(said) == "all") || rows.size() <= count) return rows;
  std::vector<Row> drawn;
  rc::Random random(2026);
  while (drawn.size() < count) {
    const auto place = static_cast<std::ptrdiff_t>(random.next() % rows.size());
    drawn.push_back(rows[static_cast<std::size_t>(place)]);
    rows.erase(rows.begin() + place);
  }
  return drawn;
}

/// Breaks the rows for which `breaks` returns another field, one at a time, and counts those that no specimen
/// detects. The Pod's own scalars are left out: kind and apiVersion are set whatever the table says.
template <typename Breaks>
Tally break_fields(Breaks breaks) {
  std::vector<FieldRow> rows;
  for (const FieldRow& row : rows_of_a_pod()) {
    if (row.field->type == nullptr && row.type == &kPod) continue;
    if (breaks(*row.field)) rows.push_back(row);
  }
  EXPECT_FALSE(is_red()) << "red before anything is broken";
  Tally tally;
  for (const FieldRow& row : some(rows, kRows)) {
    const BrokenRow broken(*row.field, *breaks(*row.field));
    tally.add(row.name(), is_red());
  }
  EXPECT_FALSE(is_red()) << "still red when all rows are whole again";
  return tally;
}

TEST(BrokenRows, AFieldThatIsNotKnownIsNoticed) {
  const Tally tally =
      break_fields([](const Field& field) -> std::optional<Field> {
    Field other = field;
    return (other.until = 1, other);
  });
  tally.print("fields unknown");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

TEST(BrokenRows, AFieldOfAnotherTypeIsNoticed) {
  const Tally tally = break_fields([](const Field& field) -> std::optional<Field> {
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
  const Tally tally = break_fields([](const Field& field) -> std::optional<Field> {
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
  const Tally tally = break_fields([](const Field& field) -> std::optional<Field> {
    const bool is_struct =
        field.shape == Shape::object || field.shape == Shape::quantity || field.shape == Shape::int_or_text;
    if (is_struct && field.many == Many::one && !field.is_pointer) return std::nullopt;
    return field.is_always ? field.unless_zero() : field.always();
  });
  tally.print("written when empty the other way");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

TEST(BrokenRows, AKeyOfAListIsNoticed) {
  const Tally tally = break_fields([](const Field& field) -> std::optional<Field> {
    const bool speaks = std::any_of(field.keys.begin(), field.keys.end(),
                                    [](const ListKey& key) { return key.duplicate != Duplicate::silent; });
    if (!speaks) return std::nullopt;
    return field.keyed({});
  });
  tally.print("keys of lists gone");
  EXPECT_GE(tally.broken, 20);
  EXPECT_EQ(tally.unnoticed, (std::vector<std::string>{}));
}

TEST(BrokenRows, AnotherDefaultIsNoticed) {
  const Tally tally = break_fields([](const Field& field) -> std::optional<Field> {
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
