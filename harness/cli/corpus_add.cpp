#include <cstdio>
#include <iterator>
#include <utility>

#include "corpus/audit_log.h"
#include "corpus/corpus_files.h"
#include "corpus/seed_files.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "harness/document/named_limits.h"
#include "harness/document/printable.h"

namespace fixpoint::cli {

namespace {

using corpus::AuditLog;

struct AddOptions {
  std::vector<std::string> paths = {}, audit_logs = {}, limits = {};
  std::string to = {};
  bool keeps_env = false;
};

void print_passed_over(const std::string& note) {
  std::fprintf(stderr, "fixpoint: %s\n", document::printable(note).c_str());
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
  if (log.without_stage() > 0) {
    std::fprintf(stderr, "fixpoint: %llu events without a stage: not used\n",
                 static_cast<unsigned long long>(log.without_stage()));
  }
  if (log.without_object() > 0) {
    std::fprintf(stderr,
                 "fixpoint: %llu creations of Pods without a request: the log's level is below Request\n",
                 static_cast<unsigned long long>(log.without_object()));
  }
}

}  // namespace

int corpus_add(const Arguments& arguments) {
  AddOptions options;
  Options line(
      "corpus add",
      "Makes seeds of Pods and of the creations in audit logs (level Request or RequestResponse), whose "
      "webhooks then patch as they did, and says which webhooks were seen not to converge. Values "
      "that may be secrets are redacted: of env, of flags, headers, labels and annotations with "
      "names such as password, and what looks like a token.",
      "  kubectl get pods -A -o yaml | fixpoint corpus add -\n"
      "  fixpoint corpus add --audit-log audit.log");
  line.positionals("POD", options.paths, "files of Pods or Lists, - for standard input");
  line.value("--audit-log FILE", options.audit_logs, "a file of audit events, one a line");
  line.value("--to DIR", options.to, "the folder to write to (default: the corpus' seeds)");
  line.flag("--keep-env", options.keeps_env,
            "keep the values of env as they are; other secrets are redacted");
  line.value("--limit NAME=VALUE", options.limits,
             "a limit on foreign input; `fixpoint list` shows all of them");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.paths.empty() && options.audit_logs.empty())
    return bad_input("corpus add: expected a file of Pods or --audit-log FILE");
  const auto limits = document::limits_of(options.limits);
  if (!limits) return bad_input(limits.error());
  std::vector<cases::Case> seeds;
  for (const std::string& path : options.paths) {
    auto read = corpus::read_seeds(
        path, {.keeps_env = options.keeps_env, .limits = *limits, .note = print_passed_over});
    if (!read) return bad_input(read.error());
    std::move(read->begin(), read->end(), std::back_inserter(seeds));
  }
  AuditLog log(options.keeps_env, *limits);
  for (const std::string& path : options.audit_logs) {
    if (auto problem = corpus::take_log(log, path, *limits)) return bad_input(*problem);
  }
  seeds.insert(seeds.end(), log.seeds().begin(), log.seeds().end());
  const std::string folder = options.to.empty() ? corpus::work_corpus_folder() + "/seeds" : options.to;
  const auto added = corpus::store_seeds(seeds, folder);
  if (!added) return unfinished(added.error());
  print(log);
  std::printf("%zu seeds added to %s, %zu were there\n", *added, folder.c_str(), seeds.size() - *added);
  return kNothingFound;
}

}  // namespace fixpoint::cli
