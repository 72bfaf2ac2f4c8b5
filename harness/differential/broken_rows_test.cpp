#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/requests.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/differential/broken_rows_model.h"
#include "harness/differential/differential_model.h"
#include "harness/document/json.h"
#include "harness/document/rules.h"
#include "harness/oracle/schema.h"
#include "injectors/catalog.h"

namespace fixpoint::apiserver {
namespace {

/// How many Cases and questions something broken is held against before it counts as not noticed.
constexpr std::size_t kCasesTried = 60, kQuestionsTried = 250;
constexpr std::size_t kRows = 40;
constexpr std::uint64_t kCases = 150, kQuestions = 300;

using oracle::Json;

/// A rule of a table that can be switched off, by its part and its id.
using RuleName = std::pair<std::string, std::string>;

class Listening : public document::RuleWatcher {
 public:
  bool holds(const document::Rule& rule) override {
    spoke.emplace(rule.part, rule.id());
    return true;
  }
  std::set<RuleName> spoke;
};

class SwitchedOff : public document::RuleWatcher {
 public:
  explicit SwitchedOff(const RuleName& name) : name_(name) {}
  bool holds(const document::Rule& rule) override {
    return rule.part != name_.first || rule.id() != name_.second;
  }

 private:
  const RuleName& name_;
};

/// Whether the comparison of the two sides on a Case, read anew from its text, is red.
bool is_red(const std::string& text) {
  const auto value = cases::read_case(*document::read_json(text, {}, document::Strictness::foreign));
  if (!value) return true;
  const auto handlers =
      webhooks::with_all_faults(*webhooks::handlers(*value, injectors::resolve), value->faults);
  return !Differential(*value, handlers).differences().empty();
}

bool is_question(const std::string& text) { return text.find("\"kind\":\"Case\"") == std::string::npos; }

/// The same of a question (differential_model.h); what the reference model cannot hold is not red.
bool is_red_on(const std::string& text) {
  try {
    return is_question(text) ? !agree_on(text) : is_red(text);
  } catch (const oracle::Unsupported&) {
    return false;
  }
}

std::string why_red(const std::string& text) { return is_question(text) ? difference_on(text) : "a Case"; }

/// Recorded and random questions and random Cases on which both sides agree, and which rules spoke on each.
struct Ground {
  std::vector<std::string> texts;
  std::map<RuleName, std::vector<std::size_t>> speaks;
  std::vector<std::string> differing;

  void add(const std::string& text) {
    Listening listening;
    {
      const document::Watching watching(listening);
      if (is_red_on(text)) {
        differing.push_back(text);
        return;
      }
    }
    for (const RuleName& rule : listening.spoke) speaks[rule].push_back(texts.size());
    texts.push_back(text);
  }
};

/// What a specimen has in its fields.
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

/// Without what holds more.
Json shallow(const Json& object) {
  Json result = Json::object();
  for (const auto& [name, member] : object.items()) {
    if (!member.is_structured()) result[name] = member;
  }
  return result;
}

/// An object of the type with all of its fields. Lists hold two elements of the same scalars. From the level
/// `cut` on, objects, lists and maps are null.
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

/// Questions that have every field of a Pod, full and zero, and null on each level; and two keys alone.
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

void add_recorded(Ground& ground) {
  for (const char* kind : {"decode", "default", "validate"}) {
    std::ifstream file(std::string(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/") + kind + ".ndjson");
    for (std::string line; std::getline(file, line);) ground.add(line);
  }
}

const Ground& ground() {
  static const Ground all = [] {
    Ground found;
    for (const std::string& text : specimens()) found.add(text);
    add_recorded(found);
    for (std::uint64_t i = 0; i < kQuestions; ++i) {
      runner::Choices choices(36, i);
      const char* kind = i % 4 == 0 ? "default" : "decode";
      found.add(document::write_json(generators::draw_request(kind, "q", choices)));
    }
    const generators::Repertoire repertoire({.subjects = injectors::newest(injectors::Role::subject),
                                             .peers = injectors::newest(injectors::Role::peer),
                                             .resolve = injectors::resolve});
    for (std::uint64_t i = 0; i < kCases; ++i) {
      runner::Choices choices(36, i);
      found.add(document::write_json(cases::write_case(generators::draw(choices, repertoire))));
    }
    return found;
  }();
  return all;
}

/// Whether the comparison is red on one of these, as far as they are tried.
bool is_red_on(const std::vector<std::size_t>& texts) {
  std::size_t questions = 0, cases = 0;
  for (const std::size_t index : texts) {
    const std::string& text = ground().texts[index];
    if (is_question(text) ? ++questions > kQuestionsTried : ++cases > kCasesTried) continue;
    if (is_red_on(text)) return true;
  }
  return false;
}

/// What was broken, how often it was noticed, and what was not.
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

/// FIXPOINT_ROWS=all breaks every row, otherwise so many are drawn.
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

/// Rows for which `breaks` says something else, held against the specimens. Of the Pod itself only what it
/// holds: kind and apiVersion are filled in whatever the table says.
template <typename Breaks>
Tally break_fields(Breaks breaks) {
  std::vector<FieldRow> rows;
  for (const FieldRow& row : rows_of_a_pod()) {
    if (row.field->type == nullptr && row.type == &kPod) continue;
    if (breaks(*row.field)) rows.push_back(row);
  }
  Tally tally;
  for (const FieldRow& row : some(rows, kRows)) {
    const auto& texts = specimens();
    const BrokenRow broken(*row.field, *breaks(*row.field));
    tally.add(row.name(),
              std::any_of(texts.begin(), texts.end(), [](const auto& text) { return is_red_on(text); }));
  }
  return tally;
}

TEST(BrokenRows, AFieldThatIsNotKnownIsNoticed) {
  const Tally tally =
      break_fields([](const Field& field) -> std::optional<Field> { return field.through(1); });
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

/// Whether nil is another thing than zero shows in what is written; of a time or a raw value it does not.
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

/// A struct is written in any case, so that the mark is nothing there.
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

/// Rows that speak through a rule which can be switched off: defaults, plugins, the chain, the validator.
void expect_rules_noticed(const std::string& part, std::size_t count, int of_ten) {
  std::vector<RuleName> rules;
  for (const auto& [rule, cases] : ground().speaks) {
    if (rule.first == part) rules.push_back(rule);
  }
  ASSERT_FALSE(rules.empty()) << part;
  Tally tally;
  for (const RuleName& rule : some(rules, count)) {
    SwitchedOff off(rule);
    const document::Watching watching(off);
    tally.add(rule.second, is_red_on(ground().speaks.at(rule)));
  }
  tally.print(("rules of " + part).c_str());
  EXPECT_GE(tally.noticed() * 10, tally.broken * of_ten) << part;
}

/// In one test, for the ground costs more than the rules. The reference model knows some of the validator's
/// only.
TEST(BrokenRows, ARuleThatIsSwitchedOffIsNoticed) {
  for (const std::string& text : ground().differing)
    ADD_FAILURE() << "red before anything is broken: " << why_red(text) << "\n" << text.substr(0, 2000);
  expect_rules_noticed("defaulting", 20, 9);
  expect_rules_noticed("plugins", 10, 8);
  expect_rules_noticed("chain", 12, 4);
  expect_rules_noticed("validation", 40, 2);
  for (std::size_t i = 0; i < std::min<std::size_t>(500, ground().texts.size()); ++i)
    EXPECT_FALSE(is_red_on(ground().texts[i])) << i << " is still red when all are whole again";
}

}  // namespace
}  // namespace fixpoint::apiserver
