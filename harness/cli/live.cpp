#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <random>

#include "generators/draw.h"
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
#include "harness/external/external_webhooks.h"
#include "harness/external/stored_case.h"
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

/// Of so many drawn ones, one is a Sequence.
constexpr std::uint64_t kSequenceOf = 4;

/// Draws Cases and Sequences as `fuzz` draws them for the bundled injectors and reconcilers.
document::Result<std::vector<external::StoredCase>> random_cases(std::uint64_t count, std::uint64_t seed) {
  const auto subjects = find_subjects({}, external::ExternalWebhooks(injectors::bundled()));
  if (!subjects) return subjects.error();
  const generators::DrawContext draw_context(subjects->chains);
  std::vector<external::StoredCase> drawn;
  for (std::uint64_t i = 0; i < count; ++i) {
    runner::Choices choices(seed, i);
    const std::string name = "random " + std::to_string(i) + " of seed " + std::to_string(seed);
    external::StoredCase& one = drawn.emplace_back(external::StoredCase{.place = name, .value = {}});
    if (i % kSequenceOf == kSequenceOf - 1) {
      one.sequence = injectors::draw_sequence(choices, subjects->reconcilers);
      one.sequence->name = name;
    } else {
      one.value = generators::draw(choices, draw_context);
      one.value.name = name;
    }
  }
  return drawn;
}

/// Prints how many Cases could not be run, by reason.
void print_reasons(const std::map<std::string, long>& reasons) {
  for (const auto& [reason, count] : reasons)
    std::fprintf(stderr, "not runnable, %ld times: %s\n", count, document::printable(reason).c_str());
}

int run(const LiveOptionsOfLine& options, const std::vector<external::StoredCase>& stored,
        conformance::LiveCluster& cluster) {
  using Kind = conformance::ClusterVerdict::Kind;
  std::map<Kind, long> count;
  std::map<std::string, long> reasons;
  std::string record;
  for (const external::StoredCase& one : stored) {
    if (is_interrupted()) return kInterrupted;
    auto answered = one.sequence ? cluster.run(*one.sequence) : cluster.run(one.value);
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

}  // namespace

int live(const Arguments& arguments) {
  LiveOptionsOfLine options;
  Options line("live",
               "Runs Cases and Sequences against a real API server and compares it with the simulated one. "
               "Every request of a Case is a dry run; each runs in a namespace of its own, which is removed "
               "afterwards.",
               "  fixpoint live corpus/regressions/*.json\n"
               "  fixpoint live case.yaml --kubeconfig test.config --context kind-test --listen 172.18.0.1");
  line.positionals("CASE", options.paths, "files of Cases, Sequences or Findings, - for standard input");
  line.value("--kubeconfig FILE", options.kubeconfig, "default: $KUBECONFIG, else ~/.kube/config");
  line.value("--context NAME", options.context, "default: the current one");
  line.value("--listen HOST", options.listen,
             "the address where the webhooks are served (default 127.0.0.1)");
  line.value("--name NAME", options.name, "by which the API server knows that address");
  line.value("--record FILE", options.record,
             "write the server's answers to this file, for `fixpoint conform`");
  line.value("--random", options.random,
             "draw so many Cases and Sequences as `fuzz` does, and print those that differ");
  line.value("--seed", options.seed, "seed of --random; by default a random one, which is printed");
  line.flag("--store", options.stores, "create the Pods and delete them; not a dry run");
  line.flag(
      "--allow-cluster-objects", options.allows_cluster_objects,
      "create the PriorityClasses and RuntimeClasses of a Case, and the types of a Sequence, which the whole "
      "cluster sees meanwhile");
  line.flag("--clean", options.cleans,
            "first remove everything that runs of `live` created, those that are at work, too");
  line.flag("--json", options.json, "NDJSON on standard output");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.paths.empty() && !options.cleans && options.random == 0)
    return bad_input("live: expected at least one file, --random or --clean");
  if (!options.paths.empty() && options.random > 0)
    return bad_input("live: expected files or --random, found both");
  if (options.random > 0 && !options.seed) {
    options.seed = std::random_device{}();
    std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(*options.seed));
  }
  auto stored = options.random > 0
                    ? random_cases(options.random, *options.seed)
                    : external::read_cases(options.paths, external::ExternalWebhooks(injectors::bundled()));
  if (!stored) return bad_input(stored.error());
  auto server = conformance::read_kubeconfig(
      options.kubeconfig.empty() ? conformance::kubeconfig_path() : options.kubeconfig, options.context);
  if (!server) return bad_input(server.error());
  if (const auto code = clean(options, *server)) return *code;
  if (stored->empty()) return kNothingFound;
  heed_interrupts();
  auto cluster = conformance::LiveCluster::start({.server = *std::move(server),
                                                  .listen = options.listen,
                                                  .name = options.name,
                                                  .id = conformance::fresh_run_id(),
                                                  .allows_cluster_objects = options.allows_cluster_objects,
                                                  .stores = options.stores});
  if (!cluster) return unfinished(cluster.error());
  return run(options, *stored, **cluster);
}

}  // namespace fixpoint::cli
