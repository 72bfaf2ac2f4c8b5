#include "harness/external/manifests/manifest_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/joined.h"
#include "harness/document/shell_word.h"
#include "harness/external/manifests/imported_files.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;
using document::Error;
using document::Result;
using document::Value;

/// Kinds with a name of their own in messages; others are only named.
constexpr std::size_t kKindsMax = 4;

/// A folder that somebody else's tool makes documents of, by the file in it that says so.
struct Rendered {
  std::string_view file, what, before, after;
};
constexpr auto kRendered = std::to_array<Rendered>({
    {"Chart.yaml", "a Helm chart", "helm template RELEASE ", " > rendered.yaml"},
    {"kustomization.yaml", "a folder of kustomize", "kubectl kustomize ", " > rendered.yaml"},
    {"kustomization.yml", "a folder of kustomize", "kubectl kustomize ", " > rendered.yaml"},
    {"Kustomization", "a folder of kustomize", "kubectl kustomize ", " > rendered.yaml"},
});

bool is_folder(const std::string& path) {
  std::error_code problem;
  return files::is_directory(path, problem);
}

/// Returns true for a Pod, and for a workload with a template of one.
bool has_pod(const Value& object) {
  const Value& spec = object["spec"];
  return object["kind"].text() == "Pod" || spec["template"]["spec"]["containers"].is_array() ||
         spec["jobTemplate"]["spec"]["template"]["spec"]["containers"].is_array();
}

std::string article_for(std::string_view word) {
  return std::string_view("AEIOU").find(word.front()) == std::string_view::npos ? "a " : "an ";
}

/// The kinds of a manifest's objects, in the order in which they come.
struct Found {
  std::vector<std::pair<std::string, int>> kinds = {};
  bool has_pods = false, has_validators = false, has_mutators = false, is_nameless = false;

  void take(const Value& document) {
    const std::string kind(document["kind"].text());
    if (kind.ends_with("List") && document["items"].is_array()) {
      for (const Value& item : document["items"].elements()) take(item);
      return;
    }
    is_nameless = is_nameless || kind.empty();
    if (kind.empty()) return;
    has_pods = has_pods || has_pod(document);
    has_validators = has_validators || kind.starts_with("Validating");
    has_mutators = has_mutators || cases::is_webhook_configuration(document);
    const auto same =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == kind; });
    same == kinds.end() ? void(kinds.emplace_back(kind, 1)) : void(++same->second);
  }

  std::string text() const {
    std::vector<std::string> words;
    for (const auto& [kind, count] : kinds) {
      if (words.size() == kKindsMax) break;
      words.push_back(count == 1 ? article_for(kind) + kind : std::to_string(count) + " of kind " + kind);
    }
    std::string out = document::joined(words);
    if (kinds.size() > kKindsMax)
      out += " and objects of " + std::to_string(kinds.size() - kKindsMax) + " kinds more";
    return out;
  }

  std::string advice() const {
    if (has_mutators) return "it has no webhook with a rule for objects that are created or updated";
    if (has_validators)
      return "fixpoint tests what mutates; give this beside a MutatingWebhookConfiguration, and its webhooks "
             "are "
             "asked too";
    if (has_pods)
      return "pass it with --example, beside the MutatingWebhookConfiguration whose webhook is to act on it";
    return "expected a MutatingWebhookConfiguration, a MutatingAdmissionPolicy or a Subject";
  }
};

}  // namespace

std::vector<std::string> files_of_documents(const std::string& folder) {
  std::error_code problem;
  std::vector<std::string> paths;
  for (files::directory_iterator next(folder, problem), end; !problem && next != end;
       next.increment(problem)) {
    const std::string path = next->path().string();
    if (is_document(path) && !is_folder(path)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::optional<Error> unrendered(const std::string& folder) {
  std::error_code problem;
  for (const Rendered& one : kRendered) {
    if (!files::is_regular_file(files::path(folder) / one.file, problem)) continue;
    return Error{std::string(one.what) + " (" + std::string(one.file) + "); render it first: " +
                     std::string(one.before) + document::shell_word(folder) + std::string(one.after),
                 folder};
  }
  return std::nullopt;
}

Result<std::vector<PlacedDocument>> read_placed_documents(const std::string& path, const Limits& limits) {
  std::vector<std::string> paths{path};
  if (is_folder(path)) {
    if (auto problem = unrendered(path)) return *std::move(problem);
    paths = files_of_documents(path);
    if (paths.empty())
      return Error{"a folder without a .yaml, .yml or .json file; name the one with the manifests", path};
  }
  std::vector<PlacedDocument> placed;
  for (const std::string& file : paths) {
    auto documents = document::read_documents(file, document::Strictness::foreign, limits);
    if (!documents) return std::move(documents).error();
    for (std::size_t i = 0; i < documents->size(); ++i)
      placed.push_back({file + ": document " + std::to_string(i + 1), std::move((*documents)[i]), i});
  }
  return placed;
}

Error nothing_to_test(const std::string& path, const std::vector<PlacedDocument>& documents) {
  const std::string place = path == "-" ? "standard input" : path;
  if (documents.empty())
    return {"there is no document in it: did the command that writes it (helm template, kustomize) fail?",
            place};
  Found found;
  for (const PlacedDocument& one : documents) found.take(one.document);
  if (found.kinds.empty() && found.is_nameless)
    return {"found no kind: expected a MutatingWebhookConfiguration, a MutatingAdmissionPolicy or a Subject",
            place};
  if (found.kinds.empty())
    return {"found an empty List: did the command that wrote it select nothing?", place};
  return {"found " + found.text() + ": " + found.advice(), place};
}

std::string passed_over_text(std::vector<std::string> names) {
  constexpr std::size_t kNamesMax = 8;
  const bool has_pods =
      std::any_of(names.begin(), names.end(), [](const std::string& one) { return one.starts_with("Pod "); });
  const std::size_t all = names.size();
  names.resize(std::min(all, kNamesMax));
  if (all > kNamesMax) names.push_back(std::to_string(all - kNamesMax) + " others");
  return document::joined(names) + (all == 1 ? " is" : " are") + " passed over" +
         (has_pods ? "; Pods to begin with are taken by --example" : "");
}

}  // namespace fixpoint::external
