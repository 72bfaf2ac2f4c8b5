#include "corpus/found_examples.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "corpus/seed_pod.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/manifests/program_files.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::corpus {

namespace {

using document::Value;
using runner::Trigger;

/// Returns the triggers that only the users of a webhook set: with a prefix, or extended resources.
std::vector<Trigger> telling_triggers(const runner::Vocabulary& words) {
  std::vector<Trigger> telling;
  for (Trigger& trigger : runner::triggers_of(words)) {
    const bool is_key = trigger.where == Trigger::Where::label || trigger.where == Trigger::Where::annotation;
    const bool is_resource = trigger.where == Trigger::Where::field &&
                             trigger.key.find(".resources.limits['") != std::string::npos;
    if ((is_key && trigger.key.find('/') != std::string::npos) || is_resource)
      telling.push_back(std::move(trigger));
  }
  return telling;
}

/// Returns the documents of a file: of Markdown, those of its blocks.
std::vector<Value> documents_of(const runner::ProgramText& file, const Limits& limits) {
  std::vector<Value> documents;
  const auto read = [&](std::string_view text) {
    auto some = document::read_stream(text, limits, document::Strictness::foreign);
    if (some) std::move(some->begin(), some->end(), std::back_inserter(documents));
  };
  const std::string_view text = file.text;
  if (!file.path.ends_with(".md")) {
    if (file.path.ends_with(".yaml") || file.path.ends_with(".yml") || file.path.ends_with(".json"))
      read(text);
    return documents;
  }
  constexpr std::string_view kFence = "\n```";
  for (auto open = text.find(kFence); open != std::string_view::npos;) {
    const auto begin = text.find('\n', open + 1);
    const auto close = begin == std::string_view::npos ? begin : text.find(kFence, begin);
    if (close == std::string_view::npos) break;
    const std::string_view block = text.substr(begin + 1, close - begin);
    if (block.find("apiVersion") != std::string_view::npos) read(block);
    open = text.find(kFence, close + kFence.size());
  }
  return documents;
}

class Finder {
 public:
  Finder(std::vector<Trigger> triggers, const Limits& limits)
      : triggers_(std::move(triggers)), limits_(limits) {}

  void take(const runner::ProgramText& file) {
    std::vector<cases::Case> examples;
    std::vector<Value> objects, definitions;
    for (const Value& document : documents_of(file, limits_)) {
      for_each_object(document, [&](const Value& object) -> std::optional<document::Error> {
        auto example = example_of(object);
        if (example && *example && is_telling(**example))
          examples.push_back(**std::move(example));
        else if (example && !*example && is_of_cluster(object))
          objects.push_back(object);
        return std::nullopt;
      });
    }
    std::copy_if(objects.begin(), objects.end(), std::back_inserter(definitions),
                 [](const Value& object) { return object["kind"].text() == "CustomResourceDefinition"; });
    for (cases::Case& example : examples) {
      if (found_.cases.size() >= kFoundExamplesMax ||
          !pods_.insert(document::write_json(example.request.object)).second)
        continue;
      for (const Value& object : objects) example.cluster.add_missing(cluster_object(object, definitions));
      example.note = "An example in " + file.path + ".";
      found_.cases.push_back(std::move(example));
      if (found_.notes.empty() || !found_.notes.back().ends_with(file.path))
        found_.notes.push_back("takes an example out of the sources: " + file.path);
    }
  }
  Examples finish() { return std::move(found_); }

 private:
  bool is_telling(const cases::Case& example) const {
    return std::any_of(triggers_.begin(), triggers_.end(),
                       [&](const Trigger& trigger) { return runner::option_of(trigger, example) > 0; });
  }
  static bool is_of_cluster(const Value& object) {
    return !object["kind"].text().empty() && !object["metadata"]["name"].text().empty() &&
           !object["apiVersion"].text().starts_with("admissionregistration.k8s.io/") &&
           !object["apiVersion"].text().starts_with(cases::kApiVersion);
  }

  const std::vector<Trigger> triggers_;
  const Limits& limits_;
  Examples found_ = {};
  std::set<std::string> pods_ = {};
};

}  // namespace

Examples found_examples(const std::vector<std::string>& folders, const runner::Vocabulary& words,
                        const Limits& limits) {
  Finder finder(telling_triggers(words), limits);
  for (const std::string& folder : folders)
    for (const runner::ProgramText& file : external::files_of_folder(folder)) finder.take(file);
  return finder.finish();
}

}  // namespace fixpoint::corpus
