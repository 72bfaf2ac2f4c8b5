#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "corpus/audit_log.h"
#include "corpus/corpus_files.h"
#include "corpus/seed_pod.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/named_limits.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/runner/fingerprint.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using corpus::AuditLog;
using document::Error;

struct AddOptions {
  std::vector<std::string> paths = {}, audit_logs = {}, limits = {};
  std::string to = {};
  bool keeps_env = false;
};

/// A Pod, a List of Pods, or a Case; other kinds are noted and passed over.
class Seeds {
 public:
  Seeds(bool keeps_env, const Limits& limits) : keeps_env_(keeps_env), limits_(limits) {}

  std::optional<Error> take_file(const std::string& path) {
    auto documents = document::read_documents(path, document::Strictness::foreign, limits_);
    if (!documents) return std::move(documents).error();
    for (std::size_t i = 0; i < documents->size(); ++i) {
      const std::string place = path + ": document " + std::to_string(i + 1);
      if (auto problem = take((*documents)[i], place)) return std::move(*problem).within(place);
    }
    return std::nullopt;
  }
  std::vector<cases::Case>& all() { return all_; }

 private:
  std::optional<Error> take(const Value& document, const std::string& place) {
    const std::string_view kind = document["kind"].text();
    if (kind.ends_with("List")) {
      for (const Value& item : document["items"].elements()) {
        if (auto problem = take(item, place)) return problem;
      }
      return std::nullopt;
    }
    if (kind != "Pod") {
      if (kind.empty()) return Error{"expected a Pod or a List of Pods"};
      std::fprintf(stderr, "fixpoint: %s\n",
                   document::printable(place + ": " + std::string(kind) + " is passed over").c_str());
      return std::nullopt;
    }
    if (auto decoded = apiserver::decode_pod(document); !decoded) return std::move(decoded).error();
    const Value pod = corpus::as_sent(document);
    const std::string_view said = document["metadata"]["namespace"].text();
    auto value =
        cases::read_case({{"apiVersion", cases::kApiVersion},
                          {"kind", "Case"},
                          {"note", "A Pod out of a cluster, as a client may have sent it."},
                          {"request",
                           {{"namespace", said.empty() ? "default" : said},
                            {"object", cases::Redaction({.keeps_env = keeps_env_}).document(pod)}}}});
    if (!value) return std::move(value).error();
    all_.push_back(*std::move(value));
    return std::nullopt;
  }

  const bool keeps_env_;
  const Limits limits_;
  std::vector<cases::Case> all_ = {};
};

/// Line by line: a log may be larger than what one document may be.
std::optional<Error> take_log(AuditLog& log, const std::string& path, const Limits& limits) {
  std::error_code problem;
  if (!files::is_regular_file(path, problem)) return Error{"is no regular file", path};
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{"cannot be read", path};
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const std::string place = path + ": line " + std::to_string(number);
    if (line.size() > limits.document_bytes_max)
      return Error{"longer than document_bytes_max = " + std::to_string(limits.document_bytes_max), place};
    if (auto bad = log.take(line)) return std::move(*bad).within(place);
  }
  return std::nullopt;
}

void print(const AuditLog& log) {
  for (const auto& [webhook, seen] : log.webhooks()) {
    std::string text = webhook + ": called in " + std::to_string(seen.requests) +
                       " requests, patched again in " + std::to_string(seen.patched_again);
    if (!seen.added_again.empty()) {
      text += "; does not converge, added again:";
      for (const std::string& addition : seen.added_again) text += " " + addition;
    }
    std::printf("%s\n", document::printable(text).c_str());
  }
  if (log.without_object() > 0) {
    std::fprintf(stderr,
                 "fixpoint: %llu creations of Pods without a request: the log's level is below Request\n",
                 static_cast<unsigned long long>(log.without_object()));
  }
}

/// Writes what is not there yet, each named by the hash of its content.
Result<std::size_t> store(std::vector<cases::Case>& seeds, const std::string& folder) {
  std::error_code problem;
  files::create_directories(folder, problem);
  if (problem) return Error{problem.message(), folder};
  std::size_t added = 0;
  for (cases::Case& seed : seeds) {
    seed.name = "seed-" + runner::fingerprint_of({"seed", cases::canonical_text(seed)});
    const std::string text = cases::canonical_text(seed);
    const files::path path = files::path(folder) / (seed.name + ".json");
    if (files::exists(files::symlink_status(path, problem))) continue;
    if (auto bad = document::write_file(path.string(), text)) return *std::move(bad);
    ++added;
  }
  return added;
}

}  // namespace

int corpus_add(const Arguments& arguments) {
  AddOptions options;
  Options line(
      "corpus add",
      "Makes seeds of Pods and of the creations in audit logs (level Request or RequestResponse), whose "
      "webhooks then patch as they did, and says which webhooks were seen not to converge. Values "
      "that may be secrets are redacted: of env, of flags, headers, labels and annotations with telling "
      "names, "
      "and what looks like a token.",
      "  kubectl get pods -A -o yaml | fixpoint corpus add -\n"
      "  fixpoint corpus add --audit-log audit.log");
  line.positionals("POD", options.paths, "files of Pods or Lists, - for standard input");
  line.value("--audit-log", options.audit_logs, "a file of audit events, one a line");
  line.value("--to", options.to, "the folder to write to (default: the corpus' seeds)");
  line.flag("--keep-env", options.keeps_env,
            "keep the values of env as they are; other secrets are redacted");
  line.value("--limit", options.limits, "NAME=VALUE, a bound on foreign input; `fixpoint list` has them all");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.paths.empty() && options.audit_logs.empty())
    return bad_input("corpus add: expected a file of Pods or --audit-log FILE");
  const auto limits = document::limits_of(options.limits);
  if (!limits) return bad_input(limits.error());
  Seeds seeds(options.keeps_env, *limits);
  for (const std::string& path : options.paths) {
    if (auto problem = seeds.take_file(path)) return bad_input(*problem);
  }
  AuditLog log(options.keeps_env, *limits);
  for (const std::string& path : options.audit_logs) {
    if (auto problem = take_log(log, path, *limits)) return bad_input(*problem);
  }
  seeds.all().insert(seeds.all().end(), log.seeds().begin(), log.seeds().end());
  const std::string folder = options.to.empty() ? corpus::corpus_folder() + "/seeds" : options.to;
  const auto added = store(seeds.all(), folder);
  if (!added) {
    std::fprintf(stderr, "fixpoint: %s\n", added.error().text().c_str());
    return kUnfinished;
  }
  print(log);
  std::printf("%zu seeds added to %s, %zu were there\n", *added, folder.c_str(), seeds.all().size() - *added);
  return kNothingFound;
}

}  // namespace fixpoint::cli
