#include "corpus/seed_files.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "corpus/seed_pod.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/cases/redaction.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"
#include "harness/runner/fingerprint.h"

namespace fixpoint::corpus {

namespace files = std::filesystem;
using document::Error;
using document::Result;
using document::Value;

namespace {

std::optional<Error> take_object(std::vector<cases::Case>& seeds, const Value& document,
                                 const std::string& place, const SeedOptions& options) {
  const std::string_view kind = document["kind"].text();
  if (kind != "Pod") {
    if (kind.empty()) return Error{"expected a Pod or a List of Pods"};
    options.note(place + ": " + std::string(kind) + " is passed over");
    return std::nullopt;
  }
  if (auto decoded = apiserver::decode_pod(document); !decoded) return std::move(decoded).error();
  const Value pod = as_sent(document);
  const std::string_view said = document["metadata"]["namespace"].text();
  auto value =
      cases::read_case({{"apiVersion", cases::kApiVersion},
                        {"kind", "Case"},
                        {"note", "A Pod out of a cluster, as a client may have sent it."},
                        {"request",
                         {{"namespace", said.empty() ? "default" : said},
                          {"object", cases::Redaction({.keeps_env = options.keeps_env}).document(pod)}}}});
  if (!value) return std::move(value).error();
  seeds.push_back(*std::move(value));
  return std::nullopt;
}

}  // namespace

Result<std::vector<cases::Case>> read_seeds(const std::string& path, const SeedOptions& options) {
  auto documents = document::read_documents(path, document::Strictness::foreign, options.limits);
  if (!documents) return std::move(documents).error();
  std::vector<cases::Case> seeds;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const std::string place = path + ": document " + std::to_string(i + 1);
    auto problem = for_each_object(
        (*documents)[i], [&](const Value& object) { return take_object(seeds, object, place, options); });
    if (problem) return std::move(*problem).within(place);
  }
  return seeds;
}

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

Result<std::size_t> store_seeds(std::vector<cases::Case> seeds, const std::string& folder) {
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

}  // namespace fixpoint::corpus
