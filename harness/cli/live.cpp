#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <random>

#include "generators/definition.h"
#include "generators/draw.h"
#include "generators/draw_workload.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/conformance/cluster_cleanup.h"
#include "harness/conformance/cluster_verdict.h"
#include "harness/conformance/kubeconfig.h"
#include "harness/conformance/live_cluster.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/external/manifests/policy_tests.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cli {

namespace {

struct LiveOptionsOfLine {
  std::vector<std::string> paths = {};
  std::string kubeconfig = {}, context = {};
  std::string listen = "127.0.0.1", name = {};
  std::string record = {};
  std::uint64_t random = 0;  ///< the number of Cases to draw
  std::optional<std::uint64_t> seed = {};
  bool stores = false, json = false, cleans = false, allows_cluster_objects = false;
  bool draws_definitions = false, draws_workloads = false;
};

void print(const std::string& place, const conformance::ClusterVerdict& verdict,
           const conformance::LiveAnswer& answer, bool json) {
  cases::Redaction redaction;
  redaction.learn(answer.line);
  if (json) {
    std::vector<Value> differences(verdict.differences.begin(), verdict.differences.end());
    const Value event{{"event", "live"},
                      {"place", place},
                      {"answer", verdict.word()},
                      {"detail", verdict.detail},
                      {"differences", differences},
                      {"line", answer.line}};
    std::printf("%s\n", document::write_json(redaction.texts(redaction.document(event))).c_str());
  } else {
    std::printf("%s: %s: %s\n", place.c_str(), verdict.word(),
                document::printable(redaction.text(verdict.detail)).c_str());
    for (const std::string& difference : verdict.differences)
      std::printf("  %s\n", document::printable(redaction.text(difference)).c_str());
  }
  std::fflush(stdout);
}

/// Returns a reason without the names in quotes, so that equal reasons count together.
std::string without_names(const std::string& reason) {
  std::string text;
  bool is_quoted = false;
  for (const char c : reason) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) text += c == '"' ? '_' : c;
  }
  return text;
}

/// A Case or a Sequence of a run, or why it cannot be read or stands for nothing that a server stores.
struct Entry {
  external::StoredCase stored = {};
  std::string unusable = {};
};

/// Of so many drawn ones, one is a Sequence.
constexpr std::uint64_t kSequenceOf = 4;

/// Draws Cases and Sequences as `fuzz` draws them for the bundled injectors and reconcilers, or Cases about
/// objects of drawn definitions, or about workloads.
document::Result<std::vector<Entry>> random_cases(const LiveOptionsOfLine& options) {
  const auto subjects = find_subjects({}, external::ExternalWebhooks(injectors::bundled()));
  if (!subjects) return subjects.error();
  const generators::DrawContext draw_context(subjects->chains);
  std::vector<Entry> drawn;
  for (std::uint64_t i = 0; i < options.random; ++i) {
    runner::Choices choices(*options.seed, i);
    const std::string name = "random " + std::to_string(i) + " of seed " + std::to_string(*options.seed);
    external::StoredCase& one = drawn.emplace_back(Entry{.stored = {.place = name, .value = {}}}).stored;
    if (!options.draws_definitions && !options.draws_workloads && i % kSequenceOf == kSequenceOf - 1) {
      one.sequence = injectors::draw_sequence(choices, subjects->reconcilers);
      one.sequence->name = name;
      continue;
    }
    one.value = options.draws_definitions ? generators::draw_definition_case(choices)
                : options.draws_workloads ? generators::draw_workload_case(choices)
                                          : generators::draw(choices, draw_context);
    one.value.name = name;
  }
  return drawn;
}

/// Prints how many Cases could not be run, by reason.
void print_reasons(const std::map<std::string, long>& reasons) {
  for (const auto& [reason, count] : reasons)
    std::fprintf(stderr, "not runnable, %ld times: %s\n", count, document::printable(reason).c_str());
}

Entry unusable(const std::string& place, const std::string& why) {
  return {.stored = {.place = place, .value = {}}, .unusable = why};
}

/// The tests of the policies in a folder, as Cases.
std::vector<Entry> read_policy_folder(const std::string& path) {
  const auto folders = external::find_policy_folders(path);
  if (!folders) return {unusable(path, folders.error().text())};
  std::vector<Entry> all;
  for (const external::PolicyFolder& folder : *folders) {
    auto read = external::read_policy_tests(folder, {});
    if (!read) all.push_back(unusable(folder.path, read.error().text()));
    if (!read) continue;
    for (external::PolicyTest& test : read->tests) {
      Entry& one = all.emplace_back(unusable(folder.path + ": " + test.name, test.not_run));
      one.stored.value = std::move(test.value);
      one.stored.value.name = test.name;
      for (Value& policy : test.policies) one.stored.value.cluster.objects.push_back(std::move(policy));
    }
  }
  return all;
}

/// Reads the documents one by one: one that cannot be read does not keep the others from running.
std::vector<Entry> read_each(const std::vector<std::string>& paths) {
  std::vector<Entry> all;
  const external::ExternalWebhooks outside(injectors::bundled());
  for (const std::string& path : paths) {
    if (external::is_policy_folder(path)) {
      for (Entry& one : read_policy_folder(path)) all.push_back(std::move(one));
      continue;
    }
    for (external::ReadCase& one : external::read_cases_apart(path, outside))
      all.push_back(one.stored ? Entry{.stored = *std::move(one.stored)}
                               : unusable(one.place, one.stored.error().message));
  }
  return all;
}

document::Result<conformance::LiveAnswer> answer_of(const Entry& entry, conformance::LiveCluster& cluster) {
  if (!entry.unusable.empty()) return conformance::LiveAnswer{.not_runnable = entry.unusable};
  return entry.stored.sequence ? cluster.run(*entry.stored.sequence) : cluster.run(entry.stored.value);
}

int run(const LiveOptionsOfLine& options, const std::vector<Entry>& entries,
        conformance::LiveCluster& cluster) {
  using Kind = conformance::ClusterVerdict::Kind;
  std::map<Kind, long> count;
  std::map<std::string, long> reasons;
  std::string record;
  for (const Entry& entry : entries) {
    if (is_interrupted()) return kInterrupted;
    const external::StoredCase& one = entry.stored;
    auto answered = answer_of(entry, cluster);
    if (!answered) return unfinished(std::move(answered).error().within(one.place));
    const conformance::LiveAnswer& answer = *answered;
    const conformance::ClusterVerdict verdict = conformance::verdict_of(answer);
    ++count[verdict.kind];
    if (answer.not_runnable.empty()) record += document::write_json(answer.line) + "\n";
    if (options.random > 0 && verdict.kind == Kind::not_runnable) ++reasons[without_names(verdict.detail)];
    if (options.json || options.random == 0 || verdict.kind == Kind::differs)
      print(one.place, verdict, answer, options.json);
  }
  if (!options.record.empty()) {
    if (auto problem = document::write_file(options.record, record, document::Readers::owner))
      return unfinished(*problem);
  }
  print_reasons(reasons);
  std::fprintf(stderr, "%ld agreed, %ld differed, %ld not runnable\n", count[Kind::agrees],
               count[Kind::differs], count[Kind::not_runnable]);
  if (count[Kind::differs] > 0) return kFound;
  return count[Kind::agrees] > 0 ? kNothingFound : kUnfinished;
}

/// Removes what earlier runs left. If the user may not list that, the run continues, unless --clean asked for
/// it.
std::optional<int> clean(const LiveOptionsOfLine& options, const webhooks::RestOptions& server) {
  const auto removed = conformance::clean_cluster(
      server, options.cleans ? conformance::Clean::everything : conformance::Clean::what_is_left);
  if (!removed) {
    if (options.cleans) return unfinished(removed.error());
    std::fprintf(stderr, "fixpoint: cannot remove what an earlier run may have left: %s\n",
                 document::printable(removed.error().text()).c_str());
    return std::nullopt;
  }
  for (const std::string& path : *removed)
    std::fprintf(stderr, "fixpoint: removed %s, which an earlier run left\n",
                 document::printable(path).c_str());
  return std::nullopt;
}

/// Returns an exit code if the command ends here.
std::optional<int> parse(LiveOptionsOfLine& options, const Arguments& arguments) {
  Options line("live",
               "Runs Cases and Sequences against a real API server and compares it with the simulated one. "
               "Every request of a Case is a dry run; each runs in a namespace of its own, which is removed "
               "afterwards.",
               "  fixpoint live corpus/regressions/*.json\n"
               "  fixpoint live case.yaml --kubeconfig test.config --context kind-test --listen 172.18.0.1");
  line.positionals(
      "CASE", options.paths,
      "files of Cases, Sequences or Findings, folders of policies with tests, - for standard input");
  line.value("--kubeconfig FILE", options.kubeconfig, "default: $KUBECONFIG, else ~/.kube/config");
  line.value("--context NAME", options.context, "default: the current one");
  line.value("--listen HOST", options.listen,
             "the address where the webhooks are served (default 127.0.0.1)");
  line.value("--name NAME", options.name, "by which the API server knows that address");
  line.value("--record FILE", options.record,
             "write the server's answers to this file, for `fixpoint conform`");
  line.value("--random", options.random,
             "draw so many Cases and Sequences as `fuzz` does, and print those that differ");
  line.flag("--custom-resources", options.draws_definitions,
            "with --random: draw CustomResourceDefinitions and Cases about their objects");
  line.flag("--workloads", options.draws_workloads,
            "with --random: draw Cases about Deployments, Jobs and other kinds that make Pods of a template");
  line.value("--seed", options.seed, "seed of --random; by default a random one, which is printed");
  line.flag("--store", options.stores, "create the Pods and delete them; not a dry run");
  line.flag(
      "--allow-cluster-objects", options.allows_cluster_objects,
      "create the PriorityClasses and RuntimeClasses of a Case, and the types of a Sequence, which the whole "
      "cluster sees meanwhile");
  line.flag("--clean", options.cleans,
            "first remove everything that runs of `live` created, those that are at work, too");
  line.flag("--json", options.json, "NDJSON on standard output");
  return line.parse(arguments);
}

}  // namespace

int live(const Arguments& arguments) {
  LiveOptionsOfLine options;
  if (const auto code = parse(options, arguments)) return *code;
  if (options.paths.empty() && !options.cleans && options.random == 0)
    return bad_input("live: expected at least one file, --random or --clean");
  if (!options.paths.empty() && options.random > 0)
    return bad_input("live: expected files or --random, found both");
  if (options.random > 0 && !options.seed) {
    options.seed = std::random_device{}();
    std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(*options.seed));
  }
  auto entries = options.random > 0 ? random_cases(options)
                                    : document::Result<std::vector<Entry>>(read_each(options.paths));
  if (!entries) return bad_input(entries.error());
  const bool is_any_usable =
      std::any_of(entries->begin(), entries->end(), [](const Entry& one) { return one.unusable.empty(); });
  if (!entries->empty() && !is_any_usable)
    return bad_input(document::Error{entries->front().unusable, entries->front().stored.place});
  auto server = conformance::read_kubeconfig(
      options.kubeconfig.empty() ? conformance::kubeconfig_path() : options.kubeconfig, options.context);
  if (!server) return bad_input(server.error());
  if (const auto code = clean(options, *server)) return *code;
  if (entries->empty()) return kNothingFound;
  heed_interrupts();
  auto cluster = conformance::LiveCluster::start({.server = *std::move(server),
                                                  .listen = options.listen,
                                                  .name = options.name,
                                                  .id = conformance::fresh_run_id(),
                                                  .allows_cluster_objects = options.allows_cluster_objects,
                                                  .stores = options.stores});
  if (!cluster) return unfinished(cluster.error());
  return run(options, *entries, **cluster);
}

}  // namespace fixpoint::cli
