#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/draw_workload.h"
#include "generators/schema_values.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/document/shell_word.h"
#include "harness/document/yaml.h"
#include "harness/external/manifests/manifest_files.h"
#include "harness/measure/workload.h"

namespace fixpoint::cli {

namespace files = std::filesystem;
using document::Error;

namespace {

constexpr const char* kPolicyFile = "fixpoint.yaml";
constexpr const char* kExampleFile = "fixpoint-example.yaml";
constexpr const char* kWorkflowFile = ".github/workflows/fixpoint.yaml";
/// Where editors find what may stand in a policy.
constexpr const char* kSchema =
    "https://raw.githubusercontent.com/OWNER/fixpoint/main/reports/schemas/policy.json";
/// Stands for the command of a webhook that the command line does not name.
constexpr const char* kPlaceholder = "exec:./my-webhook";

struct InitFlags {
  std::vector<std::string> manifests = {};
  std::string out = ".";
  external::ExternalOptions outside = {};
};

/// A file to write, and what it is for.
struct NewFile {
  files::path path;
  std::string text;
  std::string purpose;
};

/// Adds the names of the webhooks of a document that have no URL of their own.
void collect_webhooks(const Value& document, std::vector<std::string>& names) {
  for (const Value& item : document["items"].elements()) collect_webhooks(item, names);
  if (!cases::is_webhook_configuration(document)) return;
  for (const Value& webhook : document["webhooks"].elements()) {
    if (webhook["clientConfig"]["url"].is_string()) continue;
    names.push_back(std::string(document["metadata"]["name"].text()) + "/" +
                    std::string(webhook["name"].text()));
  }
}

bool is_named(const std::vector<std::string>& webhooks, std::string_view key) {
  return std::any_of(webhooks.begin(), webhooks.end(), [&](const std::string& webhook) {
    return cases::is_meant(std::string_view(webhook).substr(0, webhook.find('=')), key);
  });
}

/// Returns the webhooks of the manifests for which neither --webhook nor --service can be meant.
Result<std::vector<std::string>> unnamed_webhooks(const InitFlags& flags) {
  std::vector<std::string> names;
  for (const std::string& path : flags.manifests) {
    const auto documents = external::read_placed_documents(path, {});
    if (!documents) return documents.error();
    for (const auto& one : *documents) collect_webhooks(one.document, names);
  }
  std::erase_if(names, [&](const std::string& name) {
    return is_named(flags.outside.webhooks, name) || !flags.outside.services.empty();
  });
  return names;
}

/// Returns a Pod on which the subjects should act, or a plain one if the server refuses that.
Value example_of(std::span<const runner::Subject> subjects) {
  Value pod = measure::triggering_pod(subjects);
  const auto errors = apiserver::errors_of_request("create", pod, {});
  if (!errors || !errors->empty()) pod = measure::triggering_pod({});
  Value& metadata = pod.edit("metadata");
  metadata.remove("generateName");
  metadata.set("name", "example");
  for (const char* map : {"labels", "annotations"})
    if (metadata[map].empty()) metadata.remove(map);
  return pod;
}

/// Returns an object of the first kind that the subjects' rules select, if Pods are not among them: one that
/// its definition takes, or a workload around that Pod. Else the Pod.
Value example_of_kind(const runner::Subject& subject, Value pod) {
  const bool has_pods =
      std::ranges::any_of(subject.kinds, [](const runner::DrawnKind& kind) { return kind.is_pod(); });
  if (subject.kinds.empty() || has_pods) return pod;
  const cases::Cluster cluster{.objects = subject.objects};
  const auto kind = cases::find_kind(subject.kinds.front().api_version, subject.kinds.front().name, cluster);
  if (!kind) return pod;
  runner::Choices choices(1, 0);
  if (apiserver::makes_pods(*kind)) return generators::draw_workload(choices, *kind, pod);
  if (!kind->is_custom()) return pod;
  Value object = generators::draw_valid_object(choices, *kind, cases::kNewestMinor);
  object.edit("metadata").set("name", "example");
  object.remove("status");
  return object;
}

std::string yaml_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts)
    list.append(list.empty() ? "" : ", ").append(document::write_json(Value(text)));
  return "[" + list + "]";
}

std::string policy_text(const InitFlags& flags, const std::vector<std::string>& webhooks) {
  std::vector<std::string> subjects;
  for (const std::string& path : flags.manifests)
    subjects.push_back(files::proximate(path, flags.out).lexically_normal().string());
  std::string text = "# What a release must pass: `fixpoint gate`; `fixpoint fuzz` reads it, too.\n";
  text +=
      std::string("# yaml-language-server: $schema=") + kSchema + "\napiVersion: fixpoint/v1\nkind: Policy\n";
  text += "# Manifests as `fixpoint fuzz` takes them, relative to this file.\n";
  text += "subjects: " + yaml_list(subjects) + "\n";
  if (!webhooks.empty()) {
    text +=
        "# What answers: NAME=exec:CMD for a command that reads reviews on its standard input, or "
        "NAME=https://….\n";
    text += "webhooks: " + yaml_list(webhooks) + "\n";
  }
  text += "# Objects that the runs begin with: those that your users have.\n";
  text += std::string("examples: [") + kExampleFile + "]\n";
  text += "# A run for each subject and seed; --profile night takes another budget.\n";
  text += "seeds: [1]\nbudget: {cases: 3000}\nprofiles: {night: {budget: {time: 60m}}}\n";
  text +=
      "# error, or warning for the stricter gate. `fixpoint gate --accept RUN` writes what is known for "
      "now.\n";
  text += "failOn: error\n";
  return text;
}

std::string workflow_text(bool has_commands) {
  std::string text = R"(# OWNER is where your copy of fixpoint is.
name: fixpoint
on: {pull_request: {}, push: {branches: [main]}}
jobs:
  gate:
    runs-on: ubuntu-24.04
    container: debian:12
    steps:
      - run: apt-get update -qq && apt-get install -qq -y --no-install-recommends ca-certificates git
      - uses: actions/checkout@v4
)";
  if (has_commands) text += "      # Build your webhook here.\n";
  text += "      - uses: OWNER/fixpoint/.github/actions/gate@main\n";
  text += std::string("        with: {policy: fixpoint.yaml") +
          (has_commands ? ", arguments: --allow-exec" : "") + "}\n";
  return text;
}

bool is_command(const std::string& webhook) { return webhook.find("=exec:") != std::string::npos; }

/// Writes all files, or none if one of them exists.
std::optional<Error> write_new(const std::vector<NewFile>& all) {
  std::error_code problem;
  for (const NewFile& file : all) {
    if (files::exists(files::symlink_status(file.path, problem)))
      return Error{"is there already, and init never overwrites a file: move it away, or say --out DIR",
                   file.path.string()};
  }
  for (const NewFile& file : all) {
    files::create_directories(file.path.parent_path(), problem);
    if (auto lost = document::cannot_write(file.path.string())) return lost;
  }
  for (const NewFile& file : all) {
    if (auto lost = document::write_file(file.path.string(), file.text)) return lost;
  }
  return std::nullopt;
}

void print_next(const InitFlags& flags, const std::vector<std::string>& unnamed, bool has_commands,
                const std::string& policy) {
  const std::string program = invoked_as();
  if (!unnamed.empty()) {
    std::printf("next: say in %s what answers behind %s\n", document::printable(policy).c_str(),
                document::printable(unnamed.front()).c_str());
  }
  std::string fuzz = program + " fuzz";
  for (const std::string& path : flags.manifests) fuzz += " " + document::shell_word(path);
  fuzz += " --example " +
          document::shell_word((files::path(flags.out) / kExampleFile).lexically_normal().string());
  for (const std::string& webhook : flags.outside.webhooks)
    fuzz += " --webhook " + document::shell_word(webhook);
  for (const std::string& name : unnamed) fuzz += " --webhook " + document::shell_word(name + "=exec:…");
  std::printf("try:  %s --time 30s\n", document::printable(fuzz).c_str());
  std::printf(
      "then: %s gate%s%s\n", program.c_str(),
      policy == kPolicyFile ? "" : (" --config " + document::printable(document::shell_word(policy))).c_str(),
      has_commands ? " --allow-exec" : "");
}

}  // namespace

int init(const Arguments& arguments) {
  InitFlags flags;
  Options line(
      "init",
      "Begins a gate: writes fixpoint.yaml, a first example Pod and a workflow of GitHub Actions from a "
      "manifest. It overwrites nothing.",
      "  fixpoint init policy.yaml\n"
      "  fixpoint init rendered.yaml --webhook 'sidecar.example.io=exec:./my-webhook --stdio'");
  line.positionals("MANIFEST", flags.manifests,
                   "files of webhook configurations, policies or Subjects, as for `fuzz`");
  line.value("--out DIR", flags.out, "the folder to write into (default: this one)");
  add_external_options(line, flags.outside);
  if (const auto code = line.parse(arguments)) return *code;
  if (flags.manifests.empty()) return bad_input("init: expected a manifest: fixpoint init MANIFEST");
  const auto unnamed = unnamed_webhooks(flags);
  if (!unnamed) return bad_input(unnamed.error());
  external::ExternalOptions outside = flags.outside;
  for (const std::string& name : *unnamed) outside.webhooks.push_back(name + "=" + kPlaceholder);
  const auto webhooks = external_webhooks(outside);
  if (!webhooks) return bad_input(webhooks.error());
  const auto found = find_subjects(flags.manifests, *webhooks);
  if (!found) return bad_input(found.error());
  const bool has_commands = std::any_of(outside.webhooks.begin(), outside.webhooks.end(), is_command);
  const files::path out(flags.out);
  const runner::Subject& first = found->chains.subjects.front();
  const Value example = example_of_kind(first, example_of(found->chains.subjects));
  const std::string policy = (out / kPolicyFile).lexically_normal().string();
  const std::vector<NewFile> all{
      {out / kPolicyFile, policy_text(flags, outside.webhooks), "what a release must pass"},
      {out / kExampleFile, document::write_yaml(example),
       "a " + std::string(example["kind"].text()) + " on which " + first.name + " should act"},
      {out / kWorkflowFile, workflow_text(has_commands), "the gate in CI; OWNER is where your fixpoint is"}};
  if (auto lost = write_new(all)) return bad_input(*lost);
  for (const NewFile& file : all) {
    std::printf("wrote %s: %s\n", document::printable(file.path.lexically_normal().string()).c_str(),
                document::printable(file.purpose).c_str());
  }
  print_next(flags, *unnamed, has_commands, policy);
  return kNothingFound;
}

}  // namespace fixpoint::cli
