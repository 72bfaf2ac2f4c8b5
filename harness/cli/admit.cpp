#include <cstdio>

#include "harness/apiserver/admission/admission.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/document/yaml.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/examine.h"
#include "harness/runner/trace.h"

namespace fixpoint::cli {

namespace {

void print_trace(const runner::Prepared& prepared) {
  const auto& admission = prepared.admission;
  const cases::Validating judges = admission.validating.value_or(cases::Validating{});
  const bool is_admitted = admission.allowed && !judges.refuses();
  const std::string answer = admission.status ? ": " + cases::code_and_reason(*admission.status)
                             : judges.refuses()
                                 ? ": " + std::to_string(judges.code) + " by " + judges.causes.front().plugin
                                 : "";
  std::printf("%s after %d pass%s%s\n", is_admitted ? "admitted" : "refused", admission.passes,
              admission.passes == 1 ? "" : "es", answer.c_str());
  for (const cases::TraceStep& call : runner::trace_of(admission)) {
    const std::string effect = document::joined(call.effect);
    std::printf("  pass %d  %s  %s\n", call.pass, call.webhook.c_str(),
                effect.empty() ? "(nothing)" : document::printable(effect).c_str());
  }
  for (const cases::FieldError& error : admission.invalid) {
    std::printf("  invalid  %s  %s\n", error.field.c_str(), document::printable(error.message).c_str());
  }
  for (const cases::Validating::Cause& cause : judges.causes)
    std::printf("  judge    %s  %s\n", cause.plugin.c_str(), document::printable(cause.message).c_str());
  for (const std::string& warning : admission.warnings)
    std::printf("  warning  %s\n", document::printable(warning).c_str());
}

}  // namespace

int admit(const Arguments& arguments) {
  std::vector<std::string> paths;
  bool trace = false, stored_form = false, json = false, yaml = false;
  external::ExternalOptions outside_options;
  Options line("admit", "The API server's answer to each Case, as an Outcome.",
               "  fixpoint admit case.yaml\n  fixpoint admit --trace run/findings/3f9c1b.json\n"
               "  fixpoint admit --stored --yaml case.yaml");
  line.positionals("CASE", paths, "files of Cases or Findings, - for standard input");
  line.flag("--trace", trace, "the calls in words instead of an Outcome");
  line.flag("--stored", stored_form, "the Pod as the client is shown it, read back from the store");
  line.flag("--json", json, "one line a Case");
  line.flag("--yaml", yaml, "YAML instead of JSON");
  add_external_options(line, outside_options);
  if (const auto code = line.parse(arguments)) return *code;
  if (paths.empty()) return bad_input("admit: expected at least one file");
  const auto outside = external_webhooks(outside_options);
  if (!outside) return bad_input(outside.error());
  auto stored = external::read_cases(paths, *outside);
  if (!stored) return bad_input(stored.error());
  for (const external::StoredCase& one : *stored) {
    if (one.sequence)
      return bad_input(one.place + ": expected a Case, found a Sequence, which `replay` runs");
    const auto prepared = runner::prepare(one.value, outside->resolve(), outside->limits());
    if (!prepared) return bad_input(prepared.error().text().insert(0, one.place + ": "));
    if (trace) {
      print_trace(*prepared);
      continue;
    }
    const Value out = stored_form
                          ? document::sorted(apiserver::shown_to_client(one.value, prepared->admission))
                          : cases::write_outcome(apiserver::outcome_of(one.value, prepared->admission));
    const std::string text = json   ? document::write_json(out) + "\n"
                             : yaml ? "---\n" + document::write_yaml(out)
                                    : document::write_json_pretty(out);
    std::fputs(text.c_str(), stdout);
  }
  return kNothingFound;
}

}  // namespace fixpoint::cli
