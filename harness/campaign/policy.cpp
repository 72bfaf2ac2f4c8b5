#include "harness/campaign/policy.h"

#include <glob.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/document/joined.h"
#include "harness/document/yaml.h"
#include "harness/external/manifests/manifest.h"
#include "harness/external/manifests/policy_folder.h"
#include "harness/external/manifests/program_strings.h"
#include "harness/properties/contract.h"
#include "harness/runner/clock.h"
#include "harness/runner/diagnosis/problems.h"
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

/// All mistakes in a policy. A reader keeps the first error of an object; next() collects it before the next
/// object is read.
struct Mistakes {
  std::optional<Error> now = {};
  std::vector<Error> all = {};
  void next() {
    if (now) all.push_back(*std::move(now));
    now.reset();
  }
  void add(Error error) {
    next();
    all.push_back(std::move(error));
  }
  /// Collects the error and the unknown members of a finished object.
  void finish(const Fields& fields) {
    next();
    for (Error& error : fields.unknown()) all.push_back(std::move(error));
  }
};

std::string beside(const std::string& policy, const std::string& file) {
  const files::path path(file);
  return path.is_absolute() ? file : (files::path(policy).parent_path() / path).lexically_normal().string();
}

/// Returns the names of all vacuity checks that a run can have.
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

void read_seeds(Fields& fields, Policy& policy, Mistakes& mistakes) {
  if (fields.has("seeds")) policy.seeds.clear();
  fields.list("seeds", [&](const Value& seed, const std::string& pointer) {
    const auto number = whole_number(seed);
    if (!number) mistakes.add({"expected a whole number of at least 0", pointer});
    policy.seeds.push_back(number.value_or(0));
  });
  if (policy.seeds.empty()) fields.fail("seeds", "expected at least one seed");
}

/// Returns the symptoms that a finding's cause can have.
std::vector<std::string_view> classes_of_findings() {
  const auto own = properties::own_symptoms();
  std::vector<std::string_view> all(own.begin(), own.end());
  const auto& catalog = injectors::bundled().catalog;
  for (const auto* property : catalog.of_cases())
    all.push_back(property->symptom.empty() ? property->name : property->symptom);
  for (const auto* property : catalog.of_sequences()) all.push_back(property->name);
  return all;
}

/// Reads a severity, or an object that also lists classes of findings that fail with any severity.
void read_fail_on(Fields& fields, Policy& policy, Mistakes& mistakes) {
  const std::vector<std::string_view> severities{"warning", "error"};
  policy.has_fail_on = policy.has_fail_on || fields.has("failOn");
  if (!fields.get("failOn").is_object()) return fields.choice("failOn", policy.fail_on, severities);
  const auto known = classes_of_findings();
  fields.object("failOn", [&](Fields& fail_on) {
    fail_on.choice("severity", policy.fail_on, severities);
    mistakes.next();
    fail_on.list("classes", [&](const Value& source, const std::string& pointer) {
      const std::string name(source.text());
      if (std::find(known.begin(), known.end(), name) == known.end())
        mistakes.add(
            {"there is no class of findings \"" + name + "\"" + document::did_you_mean_suffix(name, known),
             pointer});
      policy.fail_on_classes.push_back(name);
    });
    mistakes.finish(fail_on);
  });
}

void read_budget(Fields& fields, Policy& policy, Mistakes&) {
  fields.object("budget", [&](Fields& budget) {
    policy.has_budget = true;
    policy.cases.reset();
    policy.time.clear();
    if (budget.has("cases")) {
      const auto cases = whole_number(budget.get("cases"));
      if (!cases || *cases == 0) budget.fail("cases", "expected a number of Cases, at least 1");
      policy.cases = cases;
    }
    budget.optional("time", policy.time);
    const auto seconds = runner::parse_duration(policy.time);
    if (!policy.time.empty() && (!seconds || *seconds <= 0))
      budget.fail("time", "expected a duration with its unit, such as 30s, 5m or 2h");
    budget.finish();
  });
}

/// Reads all profiles, and applies the one with that name.
void read_profiles(Fields& fields, Policy& policy, const std::string& chosen, Mistakes& mistakes) {
  std::vector<std::string> names;
  const Policy without = policy;
  fields.map("profiles", [&](const std::string& name, const Value& source, const std::string& pointer) {
    names.push_back(name);
    Policy with = without;
    Fields profile(source, pointer, mistakes.now);
    read_fail_on(profile, with, mistakes);
    read_seeds(profile, with, mistakes);
    read_budget(profile, with, mistakes);
    mistakes.finish(profile);
    if (name == chosen) policy = with;
  });
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (!chosen.empty() && std::find(names.begin(), names.end(), chosen) == names.end())
    mistakes.add({"there is no profile \"" + chosen + "\"" + document::did_you_mean_suffix(chosen, known) +
                      (names.empty() ? "" : ": there are " + document::joined(names)),
                  "/profiles"});
}

bool is_id(const std::string& text) {
  return text.size() == 12 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void read_accepted(Fields& fields, Policy& policy, Mistakes& mistakes) {
  std::set<std::string> seen;
  fields.list("accepted", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, mistakes.now);
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
    mistakes.finish(one);
    policy.accepted.push_back(std::move(accepted));
  });
}

void read_bench(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("bench", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, mistakes.now);
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
    mistakes.finish(one);
    policy.bench.push_back(std::move(bound));
  });
}

/// Reads the names of vector files, and expands `*` to the sorted files; there must be at least one.
void read_conformance(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("conformance", [&](const Value& source, const std::string& pointer) {
    const std::string pattern = beside(policy.file, std::string(source.text()));
    if (!source.is_string() || source.text().empty())
      return mistakes.add({"expected the name of a file of vectors", pointer});
    glob_t found = {};
    if (glob(pattern.c_str(), 0, nullptr, &found) != 0)
      mistakes.add({"there is no file " + pattern, pointer});
    for (std::size_t i = 0; i < found.gl_pathc; ++i) policy.conformance.emplace_back(found.gl_pathv[i]);
    globfree(&found);
  });
}

void read_subjects(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("subjects", [&](const Value& source, const std::string& pointer) {
    std::string name(source.text());
    const auto is_there = [](const std::string& path) {
      return files::is_regular_file(path) || external::is_policy_folder(path);
    };
    if (const std::string file = beside(policy.file, name); is_there(file)) name = file;
    std::optional<Error> unknown;
    if (!external::is_manifest(name) && !injectors::is_reconciler(name)) {
      const auto subject = injectors::find_subject(name);
      if (!subject) unknown = subject.error();
    } else if (external::is_manifest(name) && !is_there(name)) {
      unknown = Error{"there is no file " + name};
    }
    if (!source.is_string() || name.empty()) unknown = Error{"expected the name of a subject or of a file"};
    if (unknown) mistakes.add({unknown->message, pointer});
    policy.subjects.push_back(std::move(name));
  });
}

void read_webhooks(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("webhooks", [&](const Value& source, const std::string& pointer) {
    const std::string_view text = source.text();
    const auto equals = text.find('=');
    const std::string_view backend = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    const bool is_backend =
        (backend.starts_with("exec:") && backend.size() > std::string_view("exec:").size()) ||
        backend.starts_with("https://");
    if (!source.is_string() || equals == 0 || !is_backend)
      return mistakes.add(
          {"expected NAME=exec:CMD or NAME=https://…, as `fuzz --webhook` takes it", pointer});
    policy.webhooks.emplace_back(text);
  });
}

void read_examples(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("examples", [&](const Value& source, const std::string& pointer) {
    const std::string file = beside(policy.file, std::string(source.text()));
    std::error_code ignored;
    if (!source.is_string() || source.text().empty())
      return mistakes.add({"expected a file or a folder of Pods", pointer});
    if (!files::exists(file, ignored)) return mistakes.add({"there is no file or folder " + file, pointer});
    policy.examples.push_back(file);
  });
}

void read_code(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("code", [&](const Value& source, const std::string& pointer) {
    const std::string folder = beside(policy.file, std::string(source.text()));
    if (!source.is_string() || source.text().empty())
      return mistakes.add({"expected a folder of sources", pointer});
    if (const auto problem = external::problem_of_code({folder}))
      return mistakes.add({problem->place + ": " + problem->message, pointer});
    policy.code.push_back(folder);
  });
}

void read_gates(Fields& fields, Policy& policy, Mistakes& mistakes) {
  const auto names = gate_names();
  const std::vector<std::string_view> known(names.begin(), names.end());
  fields.list("gates", [&](const Value& source, const std::string& pointer) {
    const std::string name(source.text());
    if (std::find(known.begin(), known.end(), name) == known.end())
      mistakes.add({"there is no vacuity check \"" + name + "\"" + document::did_you_mean_suffix(name, known),
                    pointer});
    policy.vacuity_checks.push_back(name);
  });
}

void read_owns(Fields& fields, Policy& policy, Mistakes& mistakes) {
  fields.list("owns", [&](const Value& source, const std::string& pointer) {
    auto wrong = source.is_string() ? properties::problem_of_owned_path(source.text())
                                    : Error{"expected a path such as spec.containers[*].image"};
    if (wrong) mistakes.add(std::move(*wrong).within(pointer));
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

namespace {

/// Adds positions to the errors: `FILE:LINE:COLUMN: POINTER: …`
std::vector<Error> with_positions(std::vector<Error> errors, const std::string& path) {
  const auto text = document::read_text_file(path);
  for (Error& error : errors) {
    const std::string pointer = error.place.substr(0, error.place.find(": "));
    const auto at = text.ok() ? document::position_of(*text, pointer) : std::nullopt;
    const std::string where =
        at ? path + ":" + std::to_string(at->line) + ":" + std::to_string(at->column) : path;
    error = std::move(error).within(where);
  }
  return errors;
}

}  // namespace

std::variant<Policy, std::vector<Error>> read_policy(const std::string& path, const std::string& profile) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return std::vector{
        Error{"there is no such policy; begin one with the line "
              "{apiVersion: fixpoint/v1, kind: Policy, subjects: [NAME or FILE as given to `fuzz`]}, "
              "or let `fixpoint init MANIFEST` write it",
              path}};
  auto documents = document::read_file(path);
  if (!documents) return std::vector{std::move(documents).error()};
  if (documents->size() != 1) return std::vector{Error{"expected one Policy", path}};
  Policy policy{.file = path, .subjects = {}};
  Mistakes mistakes;
  Fields fields(documents->front(), "", mistakes.now);
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {"fixpoint/v1"});
  fields.choice("kind", kind, {"Policy"});
  mistakes.next();
  read_fail_on(fields, policy, mistakes);
  const auto read = {read_subjects, read_webhooks, read_examples,    read_code,  read_seeds, read_budget,
                     read_owns,     read_accepted, read_conformance, read_bench, read_gates};
  for (const auto& section : read) {
    section(fields, policy, mistakes);
    mistakes.next();
  }
  read_profiles(fields, policy, profile, mistakes);
  if (!policy.cases && policy.time.empty()) policy.cases = 3000;
  mistakes.finish(fields);
  const bool asks = !policy.subjects.empty() || !policy.conformance.empty() || !policy.bench.empty();
  // If there are other mistakes, they may be in the very part that requests a check.
  if (!asks && mistakes.all.empty())
    mistakes.add({"expected subjects, conformance or bench: this policy asks nothing", "/"});
  if (!mistakes.all.empty()) return with_positions(std::move(mistakes.all), path);
  return policy;
}

}  // namespace fixpoint::campaign
