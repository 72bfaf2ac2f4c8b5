#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/apiserver/both_ways_model.h"
#include "harness/apiserver/rows_model.h"
#include "harness/document/json.h"
#include "harness/document/rules.h"
#include "injectors/catalog.h"

namespace fixpoint::apiserver {
namespace {

/// How many Cases a broken row is held against before it counts as not noticed.
constexpr std::size_t kTries = 6;
constexpr std::uint64_t kCases = 500;

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
  return !BothWays(*value, handlers).differences().empty();
}

/// Random Cases on which both sides agree, and which rules spoke on each.
struct Ground {
  std::vector<std::string> cases;
  std::map<RuleName, std::vector<std::size_t>> speaks;
};

const Ground& ground() {
  static const Ground all = [] {
    Ground found;
    const generators::Repertoire repertoire({.subjects = injectors::newest(injectors::Role::subject),
                                             .peers = injectors::newest(injectors::Role::peer),
                                             .resolve = injectors::resolve});
    for (std::uint64_t i = 0; i < kCases; ++i) {
      runner::Choices choices(36, i);
      const std::string text = document::write_json(cases::write_case(generators::draw(choices, repertoire)));
      Listening listening;
      {
        const document::Watching watching(listening);
        if (is_red(text)) continue;
      }
      for (const RuleName& rule : listening.spoke) found.speaks[rule].push_back(found.cases.size());
      found.cases.push_back(text);
    }
    return found;
  }();
  return all;
}

bool is_red_on(const std::vector<std::size_t>& cases) {
  const std::size_t tried = std::min(cases.size(), kTries);
  return std::any_of(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(tried),
                     [](std::size_t i) { return is_red(ground().cases[i]); });
}

/// The Cases that name a member.
std::vector<std::size_t> naming(const std::string& member) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < ground().cases.size(); ++i) {
    if (ground().cases[i].find("\"" + member + "\":") != std::string::npos) found.push_back(i);
  }
  return found;
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

/// Rows of fields that occur in the Cases, for which `breaks` says something else.
template <typename Breaks>
Tally break_fields(std::size_t count, Breaks breaks) {
  std::vector<FieldRow> rows;
  for (const FieldRow& row : rows_of_a_pod()) {
    if (breaks(*row.field) && !naming(std::string(row.field->name.text)).empty()) rows.push_back(row);
  }
  Tally tally;
  for (const FieldRow& row : some(rows, count)) {
    const auto cases = naming(std::string(row.field->name.text));
    const BrokenRow broken(*row.field, *breaks(*row.field));
    tally.add(row.name(), is_red_on(cases));
  }
  return tally;
}

TEST(BrokenRows, AFieldThatIsNotKnownIsNoticed) {
  const Tally tally =
      break_fields(20, [](const Field& field) -> std::optional<Field> { return field.through(1); });
  tally.print("fields unknown");
  EXPECT_GE(tally.noticed() * 3, tally.broken * 2);
}

TEST(BrokenRows, AFieldOfAnotherTypeIsNoticed) {
  const Tally tally = break_fields(12, [](const Field& field) -> std::optional<Field> {
    Field other = field;
    if (field.shape == Shape::object) return std::nullopt;
    other.shape = field.shape == Shape::text ? Shape::boolean : Shape::text;
    return other;
  });
  tally.print("fields of another type");
  EXPECT_GE(tally.noticed() * 3, tally.broken * 2);
}

TEST(BrokenRows, APointerThatIsNoneIsNoticed) {
  const Tally tally = break_fields(10, [](const Field& field) -> std::optional<Field> {
    Field other = field;
    if (field.is_always || field.many != Many::one) return std::nullopt;
    other.is_pointer = !field.is_pointer;
    return other;
  });
  tally.print("pointers the other way");
  EXPECT_GE(tally.noticed() * 5, tally.broken);
}

TEST(BrokenRows, AKeyOfAListIsNoticed) {
  const Tally tally = break_fields(20, [](const Field& field) -> std::optional<Field> {
    const bool speaks = std::any_of(field.keys.begin(), field.keys.end(),
                                    [](const ListKey& key) { return key.duplicate != Duplicate::silent; });
    if (!speaks) return std::nullopt;
    return field.keyed({});
  });
  tally.print("keys of lists gone");
  EXPECT_GE(tally.noticed(), 1);
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

TEST(BrokenRows, ADefaultThatIsNotFilledInIsNoticed) { expect_rules_noticed("defaulting", 20, 10); }
TEST(BrokenRows, APluginThatIsSilentIsNoticed) { expect_rules_noticed("plugins", 10, 10); }
TEST(BrokenRows, ARuleOfTheChainIsNoticed) { expect_rules_noticed("chain", 12, 4); }
/// The plain model knows some of the validator's rules only.
TEST(BrokenRows, ARuleOfTheValidatorIsNoticed) { expect_rules_noticed("validation", 16, 4); }

TEST(BrokenRows, AreWholeAgainAfterwards) {
  for (std::size_t i = 0; i < std::min<std::size_t>(20, ground().cases.size()); ++i)
    EXPECT_FALSE(is_red(ground().cases[i])) << i;
  EXPECT_GT(ground().cases.size(), kCases * 99 / 100);
}

}  // namespace
}  // namespace fixpoint::apiserver
