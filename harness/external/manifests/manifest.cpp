#include "harness/external/manifests/manifest.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/apiserver/matching/expression.h"
#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"
#include "harness/document/joined.h"
#include "harness/document/json.h"
#include "harness/document/pointer.h"
#include "harness/external/backends/not_simulated.h"
#include "harness/external/manifests/chart_objects.h"
#include "harness/external/manifests/manifest_backends.h"
#include "harness/external/manifests/manifest_files.h"
#include "harness/external/manifests/policy_folder.h"
#include "harness/external/manifests/policy_subjects.h"
#include "harness/external/manifests/policy_tests.h"
#include "harness/external/manifests/program_strings.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/external/manifests/subject_document.h"
#include "harness/external/manifests/subject_triggers.h"
#include "harness/external/manifests/where_fields_are.h"
#include "harness/properties/contract.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::external {

namespace {

using document::Error;
using document::Result;
using document::Value;
using runner::Subject;

constexpr const char* kUnknownKinds =
    "nothing is known of them here; give their CustomResourceDefinition, or --webhook and an --example";

bool is_subject(const Value& document) {
  const std::string_view kind = document["kind"].text();
  return kind == "Subject" && document["apiVersion"].text() == cases::kApiVersion;
}

/// Returns true if a file is one of Subjects, and no chart in which somebody else put one.
bool holds_subjects_alone(const std::string& path, const std::vector<PlacedDocument>& documents) {
  std::error_code problem;
  return std::filesystem::is_regular_file(path, problem) &&
         std::all_of(documents.begin(), documents.end(),
                     [](const PlacedDocument& one) { return is_subject(one.document); });
}

/// Reads the parts of a Subject like those of a Case with an empty Pod.
Result<cases::Case> read_parts(const Value& configuration, Value cluster, const Value& backends,
                               const ExternalWebhooks& outside) {
  Value objects = cluster["objects"];
  if (objects.is_null() || objects.is_array()) objects.push_back(configuration);
  if (cluster.is_null() || cluster.is_object()) cluster.set("objects", objects);
  return cases::read_case({{"apiVersion", cases::kApiVersion},
                           {"kind", "Case"},
                           {"request", {{"object", Value::empty_object()}}},
                           {"cluster", cluster},
                           {"webhooks", backends}},
                          outside.bundled().known_injectors());
}

/// The sources from which a manifest's subjects are learned: those that somebody names, those that are
/// obviously theirs, and the texts of a chart's ConfigMaps, which it mounts into the webhook as files.
class Sources {
 public:
  Sources(const std::string& path, const ExternalWebhooks& outside) : path_(path), outside_(outside) {}

  void add_mounted(const Value& document) {
    for (const Value& item : document["items"].elements()) add_mounted(item);
    if (document["kind"].text() != "ConfigMap") return;
    for (const auto& [key, text] : document["data"].members())
      mounted_.push_back(
          {"ConfigMap " + std::string(document["metadata"]["name"].text()) + "/" + std::string(key.text()),
           std::string(text.text())});
  }

  /// Returns the folders of sources of the command line and of a Subject, whose file they are relative to.
  std::vector<std::string> code_of(const std::vector<std::string>& of_subject) const {
    std::vector<std::string> folders = outside_.options().code;
    for (const std::string& folder : of_subject)
      folders.push_back((std::filesystem::path(path_).parent_path() / folder).string());
    return folders;
  }

  /// Learns from the programs of a subject and from its sources, which it finds by itself if nobody names
  /// any, and returns their folders.
  std::vector<std::string> learn(Subject& subject, const std::vector<std::string>& of_subject,
                                 const std::function<void(const std::string&)>& note) const {
    std::vector<std::string> code = code_of(of_subject);
    if (code.empty()) {
      code = obvious_code_of(subject);
      for (const std::string& folder : code)
        note("reads the sources in " + folder + " to learn from them; --code DIR names others");
    }
    learn_from_programs(subject, code, mounted_);
    return code;
  }

 private:
  const std::string& path_;
  const ExternalWebhooks& outside_;
  std::vector<runner::ProgramText> mounted_ = {};
};

/// Takes out the match conditions that are not supported yet if they are assumed to be true; they are an
/// error else.
std::optional<Error> assume_conditions(Value& configuration, const ExternalWebhooks& outside,
                                       std::vector<std::string>& not_simulated) {
  Value& webhooks = configuration.edit("webhooks");
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    Value kept = Value::empty_list();
    for (const Value& condition : webhooks.at(i)["matchConditions"].elements()) {
      const auto compiled =
          apiserver::compile_expression(condition["expression"].text(), apiserver::kNewestMinor);
      if (compiled) {
        kept.push_back(condition);
        continue;
      }
      std::string what = "match condition \"" + std::string(condition["name"].text()) + "\" of webhook " +
                         key_of(configuration, webhooks.at(i));
      if (!outside.options().assumes_conditions)
        return Error{what + ": not supported yet: " + compiled.error().message +
                     "; --assume-conditions goes on with it as true"};
      not_simulated.push_back(what.append(", which is assumed to be true"));
    }
    if (kept.size() < webhooks.at(i)["matchConditions"].size())
      webhooks.edit(i).set("matchConditions", std::move(kept));
  }
  return std::nullopt;
}

/// Shows all subjects to webhooks that share a cluster, and waits until they have started.
std::optional<Error> await_start(const ExternalWebhooks& outside, const std::vector<Subject>& subjects) {
  if (!outside.has_shared_cluster()) return std::nullopt;
  cases::Cluster cluster;
  for (const Subject& subject : subjects) {
    cluster.objects.push_back(subject.configuration);
    for (const Value& object : subject.objects) cluster.add_missing(object);
  }
  return outside.await_start(cluster);
}

class Reader {
 public:
  Reader(std::string path, const ExternalWebhooks& outside, NamedBy subjects_named_by,
         std::vector<Value> definitions)
      : path_(std::move(path)),
        outside_(outside),
        backends_(outside, subjects_named_by),
        sources_(path_, outside),
        definitions_(std::move(definitions)) {}

  Result<Manifest> read(const std::vector<PlacedDocument>& documents) {
    for (const PlacedDocument& one : documents) add_definitions(one.document, definitions_);
    chart_ = ChartObjects(definitions_);
    for (const PlacedDocument& one : documents) {
      backends_.know_names(one.document);
      sources_.add_mounted(one.document);
    }
    for (const PlacedDocument& one : documents) {
      place_ = one.place;
      number_ = one.number;
      if (auto problem = take(one.document)) return std::move(*problem).within(place_);
    }
    for (PolicySubject& policy : policies_.subjects(definitions_)) {
      if (!policy.note.empty()) manifest_.notes.push_back(path_ + ": " + policy.note);
      manifest_.subjects.push_back(std::move(policy.subject));
      manifest_.peers.emplace_back();
    }
    for (Subject& subject : manifest_.subjects) chart_.add_to(subject);
    if (auto problem = take_validators()) return *std::move(problem);
    if (manifest_.subjects.empty() && !unknown_.empty())
      return Error{"its rules are for " + document::joined(unknown_) + ": " + kUnknownKinds, path_};
    if (manifest_.subjects.empty()) return nothing_to_test(path_, documents);
    if (!passed_over_.empty()) manifest_.notes.push_back(path_ + ": " + passed_over_text(passed_over_));
    if (auto problem = await_start(outside_, manifest_.subjects)) return std::move(*problem).within(path_);
    return std::move(manifest_);
  }

 private:
  std::optional<Error> take(const Value& document) {
    const std::string_view kind = document["kind"].text();
    if (kind == "List") {
      for (const Value& item : document["items"].elements()) {
        if (auto problem = take(item)) return problem;
      }
      return std::nullopt;
    }
    if (is_subject(document)) return take_subject(document);
    if (cases::is_webhook_configuration(document)) return take_configuration(document);
    if (cases::is_of_policies(document))
      return policies_.take(document, where_fields_are(path_, number_, outside_.limits()));
    if (cases::is_validating_configuration(document)) {
      validating_.push_back({place_, document});
      return std::nullopt;
    }
    if (not_simulated(document)) {
      go_on_without(document);
      return std::nullopt;
    }
    if (chart_.take(document)) return std::nullopt;
    passed_over_.push_back(kind.empty()
                               ? "something without a kind"
                               : std::string(kind).append(" ").append(document["metadata"]["name"].text()));
    return std::nullopt;
  }

  void go_on_without(const Value& document) {
    const std::string what = not_simulated(document).value_or("");
    manifest_.not_simulated.push_back(what);
    note("not simulated: " + what + "; the run goes on without it");
  }

  void note(const std::string& what) { manifest_.notes.push_back(place_ + ": " + what); }

  /// Returns the configuration without the webhooks that no request reaches which could be drawn: for a
  /// Pod, or an object whose definition is known, or of which there may be an example.
  Value for_known_kinds(Value configuration) {
    Value kept = Value::empty_list();
    for (const Value& webhook : configuration["webhooks"].elements()) {
      const std::string key = key_of(configuration, webhook);
      const auto rules = webhook["rules"].elements();
      const auto others = other_resources(rules, definitions_);
      const bool is_asked_for = !others.empty() && outside_.named(key);
      if (!selected_kinds(rules, definitions_).empty() || is_asked_for) {
        kept.push_back(webhook);
      } else if (others.empty()) {
        note("webhook " + key + " has no rule for objects that are created or updated and is passed over");
      } else {
        unknown_.insert(others.begin(), others.end());
        note("webhook " + key + " is for " + document::joined(others) +
             " and is passed over: " + kUnknownKinds);
      }
    }
    configuration.set("webhooks", kept);
    return configuration;
  }

  /// Returns the configuration with those webhooks alone that can be called.
  Result<Value> callable(const Value& known) {
    std::vector<std::string> left_out;
    auto configuration = backends_.answered(known, left_out);
    const bool is_without_any = configuration && (*configuration)["webhooks"].empty();
    // A configuration of judges without any is named as a whole.
    if (left_out.empty() || (is_without_any && cases::is_validating_configuration(known)))
      return configuration;
    constexpr std::size_t kNamed = 3;
    const bool is_one = left_out.size() == 1;
    const std::string more =
        left_out.size() > kNamed ? " and " + std::to_string(left_out.size() - kNamed) + " more" : "";
    left_out.resize(std::min(left_out.size(), kNamed));
    note("webhook" + std::string(is_one ? " " : "s ") + document::joined(left_out) + more +
         (is_one ? " is left out: nothing answers behind it, and --webhook names another"
                 : " are left out: nothing answers behind them, and --webhook names others"));
    return configuration;
  }

  std::optional<Error> take_configuration(const Value& document) {
    if (auto refused = apiserver::refusal_of_configuration(document)) return refused;
    auto configuration = callable(for_known_kinds(document));
    if (!configuration) return std::move(configuration).error();
    Subject subject{.name = std::string(document["metadata"]["name"].text()),
                    .configuration = *std::move(configuration)};
    if (subject.name.empty()) return Error{"expected the object's name", "/metadata/name"};
    if (subject.configuration["webhooks"].empty()) return std::nullopt;
    if (auto problem = assume_conditions(subject.configuration, outside_, manifest_.not_simulated))
      return problem;
    return finish(std::move(subject), {});
  }

  /// Gives every subject the validating webhooks that have a backend, and names the configurations of others.
  std::optional<Error> take_validators() {
    for (const PlacedDocument& placed : validating_) {
      place_ = placed.place;
      if (auto refused = apiserver::refusal_of_configuration(placed.document))
        return std::move(*refused).within(place_);
      const Value known = for_known_kinds(placed.document);
      if (known["webhooks"].empty() && !placed.document["webhooks"].empty()) continue;
      auto configuration = callable(known);
      if (!configuration) return std::move(configuration).error().within(place_);
      if ((*configuration)["webhooks"].empty()) {
        go_on_without(known);
        continue;
      }
      if (auto problem = assume_conditions(*configuration, outside_, manifest_.not_simulated))
        return std::move(*problem).within(place_);
      const auto backends = backends_.of_validators(*configuration, {}, manifest_.subjects);
      if (backends.empty()) go_on_without(*configuration);
      for (Subject& subject : manifest_.subjects) {
        if (backends.empty()) break;
        subject.objects.push_back(*configuration);
        subject.validators.insert(backends.begin(), backends.end());
      }
    }
    return std::nullopt;
  }

  std::optional<Error> take_subject(const Value& document);
  std::optional<Error> finish(Subject subject, std::vector<std::string> peers,
                              const std::vector<std::string>& subject_code = {});
  const std::string path_;
  const ExternalWebhooks& outside_;
  ManifestBackends backends_;
  Sources sources_;
  std::string place_;
  std::size_t number_ = 0;                     ///< of the document in its file
  std::vector<Value> definitions_;             ///< of custom resources, those of other files first
  std::set<std::string> unknown_ = {};         ///< resources of webhooks that were passed over
  std::vector<std::string> passed_over_ = {};  ///< documents that say nothing of what is tested
  ChartObjects chart_;
  PolicySubjects policies_;
  std::vector<PlacedDocument> validating_;
  Manifest manifest_;
};

std::optional<Error> Reader::take_subject(const Value& document) {
  auto said = read_subject_document(document);
  if (!said) return std::move(said).error();
  Subject& subject = said->subject;
  Value configuration = for_known_kinds(std::move(subject.configuration));
  if (configuration["webhooks"].empty())
    return Error{"expected a webhook with a rule for objects that are created or updated",
                 "/configuration/webhooks"};
  if (auto unsupported = assume_conditions(configuration, outside_, manifest_.not_simulated))
    return unsupported;
  const std::vector<std::string> silent = give_empty_scripts(said->backends, configuration);
  auto read = read_parts(configuration, said->cluster, said->backends, outside_);
  if (!read) return std::move(read).error();
  subject.configuration = configuration;
  subject.webhooks = std::move(read->webhooks);
  for (const std::string& key : silent) subject.webhooks.erase(key);
  std::vector<Value> validating;
  for (const Value& object : read->cluster.objects) {
    if (cases::is_validating_configuration(object))
      validating.push_back(object);
    else if (!cases::is_webhook_configuration(object))
      subject.objects.push_back(object);
  }
  for (const Value& object : validating) {
    if (auto refused = apiserver::refusal_of_configuration(object))
      return std::move(*refused).within("/cluster/objects");
    const auto mutating = cases::webhooks_of(configuration);
    const auto found = backends_.of_validators(object, subject.webhooks, manifest_.subjects);
    const bool is_shared = std::any_of(mutating.begin(), mutating.end(),
                                       [&](const std::string& key) { return found.contains(key); });
    if (found.empty() || is_shared) {
      go_on_without(object);
      continue;
    }
    subject.objects.push_back(object);
    subject.validators.insert(found.begin(), found.end());
    for (const auto& [key, backend] : found) subject.webhooks.erase(key);
  }
  return finish(std::move(subject), std::move(said->peers), said->code);
}

std::optional<Error> Reader::finish(Subject subject, std::vector<std::string> peers,
                                    const std::vector<std::string>& subject_code) {
  if (auto problem = problem_of_code(sources_.code_of(subject_code)))
    return std::move(*problem).within("code");
  if (auto problem = backends_.find(subject)) return problem;
  const std::vector<Value> rules = rules_of(subject.configuration);
  std::vector<Value> definitions = definitions_;
  for (const Value& object : subject.objects) add_definitions(object, definitions);
  subject.kinds = selected_kinds(rules, definitions);
  for (const std::string& resource : converted_by_webhook(rules, definitions))
    manifest_.not_simulated.push_back("conversion by webhook of " + resource +
                                      " (an object is stored as it was sent)");
  subject.other_resources = other_resources(rules, definitions);
  for (std::string& folder :
       sources_.learn(subject, subject_code, [&](const std::string& what) { note(what); }))
    manifest_.code.push_back(std::move(folder));
  learn_from_configuration(subject.vocabulary, subject.configuration);
  runner::complete(subject.vocabulary);
  const cases::Case value{.cluster = {.objects = {subject.configuration}}};
  if (auto configured = apiserver::read_configurations(value); !configured)
    return std::move(configured).error();
  manifest_.subjects.push_back(std::move(subject));
  manifest_.peers.push_back(std::move(peers));
  return std::nullopt;
}

}  // namespace

bool is_manifest(const std::string& subject) {
  for (const char* suffix : {".yaml", ".yml", ".json"}) {
    if (subject.ends_with(suffix)) return true;
  }
  std::error_code problem;
  return subject == "-" || std::filesystem::exists(subject, problem);
}

Result<Manifest> read_manifest(const std::string& path, const ExternalWebhooks& outside,
                               const std::vector<Value>& definitions) {
  if (is_policy_folder(path)) {
    auto folder = read_tested_policies(path, outside.limits());
    if (!folder) return std::move(folder).error();
    auto manifest = Reader(path, outside, NamedBy::document_of_a_chart, definitions).read(folder->documents);
    if (manifest) give_tests(*folder, manifest->subjects, manifest->notes);
    return manifest;
  }
  const auto documents = read_placed_documents(path, outside.limits());
  if (!documents) return documents.error();
  const auto named_by =
      holds_subjects_alone(path, *documents) ? NamedBy::file_of_the_user : NamedBy::document_of_a_chart;
  auto manifest = Reader(path, outside, named_by, definitions).read(*documents);
  if (manifest)
    if (auto bad = give_objects_of_tests(path, outside.limits(), manifest->subjects)) return *std::move(bad);
  return manifest;
}

}  // namespace fixpoint::external
