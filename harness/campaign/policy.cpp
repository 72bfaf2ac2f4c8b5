#include "harness/campaign/policy.h"

#include <glob.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/external/manifest.h"
#include "harness/properties/contract.h"
#include "harness/runner/clock.h"
#include "harness/runner/problems.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::campaign {

namespace files = std::filesystem;
using document::Error;
using document::Fields;
using document::Result;
using document::Value;

namespace {

std::string beside(const std::string& policy, const std::string& file) {
  const files::path path(file);
  return path.is_absolute() ? file : (files::path(policy).parent_path() / path).lexically_normal().string();
}

/// The names of all sometimes-gates that a run can have.
std::vector<std::string> gate_names() {
  std::vector<std::string> names{"some request was reinvoked", "some request was admitted",
                                 "some container came late"};
  const auto& catalog = injectors::bundled().catalog;
  for (const auto* property : catalog.of_cases())
    names.push_back(std::string(property->name) + " was reached");
  for (const auto* property : catalog.of_sequences())
    names.push_back(std::string(property->name) + " was reached");
  return names;
}

std::optional<std::uint64_t> whole_number(const Value& value) {
  const auto number = value.integer();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

void read_seeds(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  if (fields.has("seeds")) policy.seeds.clear();
  fields.list("seeds", [&](const Value& seed, const std::string& pointer) {
    const auto number = whole_number(seed);
    if (!number) problem = Error{"expected a whole number of at least 0", pointer};
    policy.seeds.push_back(number.value_or(0));
  });
  if (policy.seeds.empty()) fields.fail("seeds", "expected at least one seed");
}

void read_budget(Fields& fields, Policy& policy) {
  fields.object("budget", [&](Fields& budget) {
    if (budget.has("cases")) {
      const auto cases = whole_number(budget.get("cases"));
      if (!cases || *cases == 0) budget.fail("cases", "expected a number of Cases, at least 1");
      policy.cases = cases;
    }
    budget.optional("time", policy.time);
    const auto seconds = runner::parse_duration(policy.time);
    if (!policy.time.empty() && (!seconds || *seconds <= 0))
      budget.fail("time", "expected a duration such as 30s, 5m or 2h");
    budget.finish();
  });
  if (!policy.cases && policy.time.empty()) policy.cases = 3000;
}

bool is_id(const std::string& text) {
  return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void read_expectations(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  std::set<std::string> seen;
  fields.list("expectations", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, problem);
    Expectation expectation;
    one.required("fingerprint", expectation.fingerprint);
    one.required("reason", expectation.reason);
    one.required("until", expectation.until);
    if (!is_id(expectation.fingerprint))
      one.fail("fingerprint", "expected twelve hexadecimal digits, as a finding has them");
    if (!seen.insert(expectation.fingerprint).second)
      one.fail("fingerprint", "it stands in the list already");
    if (expectation.reason.empty()) one.fail("reason", "expected why it is accepted");
    if (!is_day(expectation.until)) one.fail("until", "expected a day such as 2026-12-31");
    one.finish();
    policy.expectations.push_back(std::move(expectation));
  });
}

void read_accepted(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  std::set<std::string> seen;
  fields.list("accepted", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, problem);
    AcceptedProblem accepted;
    one.required("problem", accepted.problem);
    one.optional("ids", accepted.ids);
    one.optional("fingerprints", accepted.fingerprints);
    one.optional("part", accepted.part);
    one.object("repair", [&](Fields& repair) {
      cases::Repair& read = accepted.repair.emplace();
      repair.required("kind", read.kind);
      repair.required("operation", read.operation);
      repair.finish();
    });
    one.required("reason", accepted.reason);
    one.required("until", accepted.until);
    one.optional("owner", accepted.owner);
    one.optional("ticket", accepted.ticket);
    one.optional("case", accepted.finding_file);
    if (!accepted.finding_file.empty()) accepted.finding_file = beside(policy.file, accepted.finding_file);
    if (!accepted.finding_file.empty() && !files::is_regular_file(accepted.finding_file))
      one.fail("case", "there is no file " + accepted.finding_file);
    if (!is_id(accepted.problem))
      one.fail("problem", "expected twelve hexadecimal digits, as a problem has them");
    if (!seen.insert(accepted.problem).second) one.fail("problem", "it stands in the list already");
    if (accepted.reason.empty()) one.fail("reason", "expected why it is accepted");
    if (!is_day(accepted.until)) one.fail("until", "expected a day such as 2026-12-31");
    one.finish();
    policy.accepted.push_back(std::move(accepted));
  });
}

void read_bench(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  fields.list("bench", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, problem);
    BenchBound bound;
    one.required("name", bound.name);
    if (const std::string file = beside(policy.file, bound.name); files::is_regular_file(file))
      bound.name = file;
    if (external::is_manifest(bound.name)) {
      if (!files::is_regular_file(bound.name)) one.fail("name", "there is no file " + bound.name);
    } else if (const auto injector = injectors::find_subject(bound.name); !injector) {
      one.fail("name", injector.error().message);
    }
    one.required_above_0("ratio_max", bound.ratio_max);
    if (double most = 0; one.has("microseconds_max")) {
      one.optional_above_0("microseconds_max", most);
      bound.microseconds_max = most;
    }
    one.finish();
    policy.bench.push_back(std::move(bound));
  });
}

/// The files that a name with `*` stands for, sorted; at least one.
void read_conformance(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  fields.list("conformance", [&](const Value& source, const std::string& pointer) {
    const std::string pattern = beside(policy.file, std::string(source.text()));
    if (!source.is_string() || source.text().empty()) {
      problem = Error{"expected the name of a file of vectors", pointer};
      return;
    }
    glob_t found = {};
    if (glob(pattern.c_str(), 0, nullptr, &found) != 0)
      problem = Error{"there is no file " + pattern, pointer};
    for (std::size_t i = 0; i < found.gl_pathc; ++i) policy.conformance.emplace_back(found.gl_pathv[i]);
    globfree(&found);
  });
}

void read_subjects(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  fields.list("subjects", [&](const Value& source, const std::string& pointer) {
    std::string name(source.text());
    if (const std::string file = beside(policy.file, name); files::is_regular_file(file)) name = file;
    std::optional<Error> unknown;
    if (!external::is_manifest(name) && !injectors::is_reconciler(name)) {
      const auto subject = injectors::find_subject(name);
      if (!subject) unknown = subject.error();
    } else if (external::is_manifest(name) && !files::is_regular_file(name)) {
      unknown = Error{"there is no file " + name};
    }
    if (!source.is_string() || name.empty()) unknown = Error{"expected the name of a subject or of a file"};
    if (unknown && !problem) problem = Error{unknown->message, pointer};
    policy.subjects.push_back(std::move(name));
  });
}

void read_gates(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  const auto names = gate_names();
  const std::vector<std::string_view> known(names.begin(), names.end());
  fields.list("gates", [&](const Value& source, const std::string& pointer) {
    const std::string name(source.text());
    if (std::find(known.begin(), known.end(), name) == known.end() && !problem)
      problem =
          Error{"there is no gate \"" + name + "\"" + document::did_you_mean_suffix(name, known), pointer};
    policy.gates.push_back(name);
  });
}

void read_owns(Fields& fields, Policy& policy, std::optional<Error>& problem) {
  fields.list("owns", [&](const Value& source, const std::string& pointer) {
    auto wrong = source.is_string() ? properties::problem_of_owned_path(source.text())
                                    : Error{"expected a path such as spec.containers[*].image"};
    if (wrong && !problem) problem = std::move(*wrong).within(pointer);
    policy.owns.emplace_back(source.text());
  });
}

}  // namespace

bool AcceptedProblem::covers(const cases::Finding& finding) const {
  const auto has = [](const std::vector<std::string>& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  const std::string id = runner::problem_id(finding);
  const bool is_healed_alike =
      repair && finding.repair == repair && finding.cause && finding.cause->part == part;
  return id == problem || has(ids, id) || has(fingerprints, finding.fingerprint) || is_healed_alike;
}

bool is_day(const std::string& text) {
  int year = 0;
  unsigned month = 0, day = 0;
  char rest = 0;
  if (text.size() != 10 || std::sscanf(text.c_str(), "%4d-%2u-%2u%c", &year, &month, &day, &rest) != 3)
    return false;
  return text[4] == '-' && text[7] == '-' &&
         std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month),
                                     std::chrono::day(day))
             .ok();
}

std::string today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

Result<Policy> read_policy(const std::string& path) {
  auto documents = document::read_file(path);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1) return Error{"expected one Policy", path};
  Policy policy{.file = path, .subjects = {}};
  std::optional<Error> problem;
  Fields fields(documents->front(), "", problem);
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {"fixpoint/v1"});
  fields.choice("kind", kind, {"Policy"});
  read_subjects(fields, policy, problem);
  read_seeds(fields, policy, problem);
  read_budget(fields, policy);
  fields.choice("failOn", policy.fail_on, {"warning", "error"});
  read_owns(fields, policy, problem);
  read_accepted(fields, policy, problem);
  read_expectations(fields, policy, problem);
  read_conformance(fields, policy, problem);
  read_bench(fields, policy, problem);
  read_gates(fields, policy, problem);
  fields.finish();
  const bool asks = !policy.subjects.empty() || !policy.conformance.empty() || !policy.bench.empty();
  if (!asks) fields.fail_here("expected subjects, conformance or bench: this policy asks nothing");
  if (problem) return std::move(*problem).within(path);
  return policy;
}

}  // namespace fixpoint::campaign
