#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "generators/schema_values.h"
#include "harness/apiserver/custom/rules.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/document/printable.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/score/score_command.h"

namespace fixpoint::score {

namespace {

/// The objects drawn for one version of a definition.
struct Drawn {
  std::string name;
  int valid = 0, count = 0;
  std::string problem = {};  ///< of its rules, or why an object is refused
};

/// The first reason why the schema refuses the object; empty if it takes it.
std::string refusal(const document::Value& object, const document::Value& schema) {
  apiserver::validation::Errors errors;
  std::vector<std::string> warnings;
  const document::Value none;
  apiserver::custom::check_by_schema({.object = object, .old = none, .schema = schema}, errors, warnings);
  return errors.empty() ? std::string() : errors.all()[0].field + ": " + errors.all()[0].message;
}

Drawn draw_for(const cases::Kind& kind, int count) {
  Drawn drawn{.name = kind.resource() + " " + std::string(kind.version), .count = count};
  const document::Value& schema = apiserver::custom::schema_of(kind);
  if (auto problem = apiserver::custom::rule_problem(schema, cases::kNewestMinor)) {
    drawn.problem = problem->text();
    return drawn;
  }
  for (int i = 0; i < count; ++i) {
    runner::Choices choices(1, static_cast<std::uint64_t>(i));
    const auto object = apiserver::custom::with_defaults(
        apiserver::custom::pruned(generators::draw_valid_object(choices, kind, cases::kNewestMinor), schema),
        schema);
    const std::string refused = refusal(object, schema);
    if (refused.empty())
      ++drawn.valid;
    else if (drawn.problem.empty())
      drawn.problem = refused;
  }
  return drawn;
}

}  // namespace

int score_definitions(const Arguments& arguments) {
  std::vector<std::string> paths;
  int count = 100;
  cli::Options line("score definitions",
                    "The share of valid objects that are drawn for each version of the "
                    "CustomResourceDefinitions in files or folders.",
                    "  fixpoint score definitions config/crd/bases");
  line.positionals("FILE", paths, "files or folders of definitions and nothing else");
  line.value("--objects", count, "objects to draw for each (default 100)");
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return cli::bad_input("score definitions: expected at least one file or folder");
  std::vector<Drawn> all;
  for (const std::string& path : paths) {
    const auto definitions = external::read_definitions_alone(path, {});
    if (!definitions) return cli::bad_input(definitions.error().text());
    if (definitions->empty()) return cli::bad_input(path + ": expected CustomResourceDefinitions alone");
    for (const document::Value& definition : *definitions)
      for (const cases::Kind& kind : cases::served_kinds(definition)) all.push_back(draw_for(kind, count));
  }
  std::stable_sort(all.begin(), all.end(), [](const Drawn& a, const Drawn& b) { return a.valid < b.valid; });
  int half = 0;
  for (const Drawn& one : all) {
    std::printf("%4d of %d  %s%s\n", one.valid, one.count, document::printable(one.name).c_str(),
                one.problem.empty() ? "" : document::printable("  (" + one.problem + ")").c_str());
    half += 2 * one.valid >= one.count ? 1 : 0;
  }
  std::printf("%d of %zu with at least half of the objects valid\n", half, all.size());
  return cli::kNothingFound;
}

}  // namespace fixpoint::score
