#include "harness/external/manifests/manifest.h"

#include <algorithm>
#include <array>
#include <filesystem>
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
#include "harness/external/manifests/manifest_files.h"
#include "harness/external/manifests/policy_folder.h"
#include "harness/external/manifests/policy_subjects.h"
#include "harness/external/manifests/policy_tests.h"
#include "harness/external/manifests/program_strings.h"
#include "harness/external/manifests/selected_kinds.h"
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

class Reader {
 public:
  Reader(std::string path, const ExternalWebhooks& outside, NamedBy subjects_named_by,
         std::vector<Value> definitions)
      : path_(std::move(path)),
        outside_(outside),
        subjects_named_by_(subjects_named_by),
        definitions_(std::move(definitions)) {}

  Result<Manifest> read(const std::vector<PlacedDocument>& documents) {
    for (const PlacedDocument& one : documents) add_definitions(one.document, definitions_);
    chart_ = ChartObjects(definitions_);
    for (const PlacedDocument& one : documents) {
      know_names(one.document);
      add_mounted(one.document);
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
    if (auto problem = await_start()) return std::move(*problem).within(path_);
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

  /// Shows all subjects to webhooks that share a cluster, and waits until they have started.
  std::optional<Error> await_start() const {
    if (!outside_.has_shared_cluster()) return std::nullopt;
    cases::Cluster cluster;
    for (const Subject& subject : manifest_.subjects) {
      cluster.objects.push_back(subject.configuration);
      for (const Value& object : subject.objects) cluster.add_missing(object);
    }
    return outside_.await_start(cluster);
  }

  void go_on_without(const Value& document) {
    const std::string what = not_simulated(document).value_or("");
    manifest_.not_simulated.push_back(what);
    note("not simulated: " + what + "; the run goes on without it");
  }

  void note(const std::string& what) { manifest_.notes.push_back(place_ + ": " + what); }

  /// Takes out the match conditions that are not supported yet if they are assumed to be true; they are an
  /// error else.
  std::optional<Error> assume_conditions(Value& configuration) {
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
        if (!outside_.assumes_conditions())
          return Error{what + ": not supported yet: " + compiled.error().message +
                       "; --assume-conditions goes on with it as true"};
        manifest_.not_simulated.push_back(what.append(", which is assumed to be true"));
      }
      if (kept.size() < webhooks.at(i)["matchConditions"].size())
        webhooks.edit(i).set("matchConditions", std::move(kept));
    }
    return std::nullopt;
  }

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

  std::optional<Error> take_configuration(const Value& document) {
    if (auto refused = apiserver::refusal_of_configuration(document)) return refused;
    Subject subject{.name = std::string(document["metadata"]["name"].text()),
                    .configuration = for_known_kinds(document)};
    if (subject.name.empty()) return Error{"expected the object's name", "/metadata/name"};
    if (subject.configuration["webhooks"].empty()) return std::nullopt;
    if (auto problem = assume_conditions(subject.configuration)) return problem;
    return finish(std::move(subject), {});
  }

  /// Gives every subject the validating webhooks that have a backend, and names the configurations of others.
  std::optional<Error> take_validators() {
    for (const PlacedDocument& placed : validating_) {
      place_ = placed.place;
      if (auto refused = apiserver::refusal_of_configuration(placed.document))
        return std::move(*refused).within(place_);
      Value configuration = for_known_kinds(placed.document);
      if (configuration["webhooks"].empty() && !placed.document["webhooks"].empty()) continue;
      if (auto problem = assume_conditions(configuration)) return std::move(*problem).within(place_);
      const auto backends = backends_of_validators(configuration, {});
      if (backends.empty()) go_on_without(configuration);
      for (Subject& subject : manifest_.subjects) {
        if (backends.empty()) break;
        subject.objects.push_back(configuration);
        subject.validators.insert(backends.begin(), backends.end());
      }
    }
    return std::nullopt;
  }

  /// Returns the backends of all webhooks of a validating configuration; nothing if one has none. A name that
  /// is also that of a mutating webhook stands for that one.
  std::map<std::string, cases::Backend> backends_of_validators(
      const Value& configuration, const std::map<std::string, cases::Backend>& stored) const {
    std::map<std::string, cases::Backend> backends;
    for (const Value& webhook : configuration["webhooks"].elements()) {
      const std::string key = key_of(configuration, webhook);
      auto backend = is_of_subject(webhook["name"].text()) ? std::nullopt : outside_.named(key);
      const bool is_named = backend.has_value();
      const auto named_by = stored.contains(key) ? subjects_named_by_ : NamedBy::file_of_the_user;
      if (const auto own = stored.find(key); !backend && own != stored.end()) backend = own->second;
      if (!backend) backend = backend_of_client(webhook["clientConfig"]);
      const bool is_usable =
          backend && !is_key_of_subject(key) &&
          (is_named || (!outside_.allow_subject(key, *backend, named_by) && !unreachable(*backend)));
      if (!is_usable) return {};
      backends.insert_or_assign(key, *std::move(backend));
    }
    return backends;
  }

  bool is_of_subject(std::string_view own_name) const {
    return std::any_of(manifest_.subjects.begin(), manifest_.subjects.end(), [&](const Subject& subject) {
      const auto webhooks = subject.configuration["webhooks"].elements();
      return std::any_of(webhooks.begin(), webhooks.end(),
                         [&](const Value& webhook) { return webhook["name"].text() == own_name; });
    });
  }
  bool is_key_of_subject(const std::string& key) const {
    return std::any_of(manifest_.subjects.begin(), manifest_.subjects.end(),
                       [&](const Subject& subject) { return subject.webhooks.contains(key); });
  }

  /// Reads a Subject like a Case with an empty Pod.
  std::optional<Error> take_subject(const Value& document) {
    std::optional<Error> problem;
    Subject subject;
    std::vector<std::string> owns, peers, code;
    Value configuration, cluster, backends, promises;
    document::Fields fields(document, "", problem);
    for (const char* known : {"apiVersion", "kind"}) fields.has(known);
    fields.required("name", subject.name);
    fields.optional("owns", owns);
    read_promises(fields, promises);
    fields.optional("peers", peers);
    fields.optional("code", code);
    fields.required("configuration", configuration);
    fields.optional("cluster", cluster);
    fields.optional("webhooks", backends);
    read_triggers(fields, subject.vocabulary);
    fields.finish();
    if (!problem && !cases::is_webhook_configuration(configuration))
      problem = Error{"expected a MutatingWebhookConfiguration", "/configuration/kind"};
    if (!problem && !configuration["metadata"]["name"].is_string())
      problem = Error{"expected the object's name", "/configuration/metadata/name"};
    for (std::size_t i = 0; i < owns.size() && !problem; ++i) {
      problem = properties::problem_of_owned_path(owns[i]);
      if (problem) problem = std::move(*problem).within("/owns/" + std::to_string(i));
    }
    if (problem) return problem;
    if (auto refused = apiserver::refusal_of_configuration(configuration))
      return std::move(*refused).within("/configuration");
    properties::add_owned_paths(configuration, owns);
    if (!promises.is_null())
      configuration.edit("metadata")
          .edit("annotations")
          .set(properties::kPromisesAnnotation, document::write_json(promises));
    configuration = for_known_kinds(std::move(configuration));
    if (configuration["webhooks"].empty())
      return Error{"expected a webhook with a rule for objects that are created or updated",
                   "/configuration/webhooks"};
    if (auto unsupported = assume_conditions(configuration)) return unsupported;
    const std::vector<std::string> silent = give_empty_scripts(backends, configuration);
    auto read = read_parts(configuration, cluster, backends);
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
      const auto found = backends_of_validators(object, subject.webhooks);
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
    return finish(std::move(subject), std::move(peers), code);
  }

  Result<cases::Case> read_parts(const Value& configuration, Value cluster, const Value& backends) const {
    Value objects = cluster["objects"];
    if (objects.is_null() || objects.is_array()) objects.push_back(configuration);
    if (cluster.is_null() || cluster.is_object()) cluster.set("objects", objects);
    return cases::read_case({{"apiVersion", cases::kApiVersion},
                             {"kind", "Case"},
                             {"request", {{"object", Value::empty_object()}}},
                             {"cluster", cluster},
                             {"webhooks", backends}},
                            outside_.bundled().known_injectors());
  }

  std::optional<cases::Backend> backend_of(const Subject& subject, const Value& webhook) const {
    const std::string key = key_of(subject.configuration, webhook);
    if (auto named = outside_.named(key)) return named;
    const auto stored = subject.webhooks.find(key);
    if (stored != subject.webhooks.end()) return stored->second;
    return backend_of_client(webhook["clientConfig"]);
  }

  std::optional<cases::Backend> backend_of_client(const Value& client) const {
    if (client["url"].is_string())
      return outside_.of_url(std::string(client["url"].text()), std::string(client["caBundle"].text()));
    return client["service"].is_null() ? std::nullopt : outside_.of_service(client["service"]);
  }

  /// Keeps the names of all webhooks of a document, with and without that of the configuration.
  void know_names(const Value& document) {
    for (const Value& item : document["items"].elements()) know_names(item);
    if (document["configuration"].is_object()) know_names(document["configuration"]);
    for (const Value& webhook : document["webhooks"].elements()) {
      names_.push_back(key_of(document, webhook));
      names_.emplace_back(webhook["name"].text());
    }
  }

  /// Returns an error for a `--webhook` that names no webhook of the manifest, but nearly one of them; else
  /// nothing.
  std::optional<Error> misspelt() const {
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    for (const std::string& name : outside_.unmet()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string hint = document::did_you_mean_suffix(name, known);
      if (!hint.empty()) return Error{"no webhook here has this name" + hint, "--webhook " + name};
    }
    return std::nullopt;
  }

  /// Keeps the texts of a chart's ConfigMaps, which it mounts into the webhook as files.
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
    std::vector<std::string> folders = outside_.code();
    for (const std::string& folder : of_subject)
      folders.push_back((std::filesystem::path(path_).parent_path() / folder).string());
    return folders;
  }

  /// Learns from the programs of a subject and from its sources, which it finds by itself if nobody names
  /// any.
  void learn_from_code(Subject& subject, const std::vector<std::string>& of_subject) {
    std::vector<std::string> code = code_of(of_subject);
    if (code.empty()) {
      code = obvious_code_of(subject);
      for (const std::string& folder : code)
        note("reads the sources in " + folder + " to learn from them; --code DIR names others");
    }
    learn_from_programs(subject, code, mounted_);
    manifest_.code.insert(manifest_.code.end(), code.begin(), code.end());
  }

  std::optional<Error> finish(Subject subject, std::vector<std::string> peers,
                              const std::vector<std::string>& subject_code = {}) {
    if (auto problem = problem_of_code(code_of(subject_code))) return std::move(*problem).within("code");
    for (const Value& webhook : subject.configuration["webhooks"].elements()) {
      const std::string key = key_of(subject.configuration, webhook);
      auto backend = backend_of(subject, webhook);
      if (!backend) {
        if (auto problem = misspelt()) return problem;
        return Error{"nothing answers behind " + key + ": say --webhook " + key +
                     "=https://… or =exec:CMD, or --service NAMESPACE/NAME=https://…"};
      }
      const auto named_by = subject.webhooks.contains(key) ? subjects_named_by_ : NamedBy::file_of_the_user;
      if (auto problem = outside_.allow_subject(key, *backend, named_by))
        return std::move(*problem).within(key);
      if (auto problem = unreachable(*backend)) return std::move(*problem).within(key);
      if (const auto* script = std::get_if<cases::Script>(&*backend))
        learn_from_script(subject.vocabulary, *script);
      subject.webhooks.insert_or_assign(key, *std::move(backend));
    }
    const std::vector<Value> rules = rules_of(subject.configuration);
    std::vector<Value> definitions = definitions_;
    for (const Value& object : subject.objects) add_definitions(object, definitions);
    subject.kinds = selected_kinds(rules, definitions);
    for (const std::string& resource : converted_by_webhook(rules, definitions))
      manifest_.not_simulated.push_back("conversion by webhook of " + resource +
                                        " (an object is stored as it was sent)");
    subject.other_resources = other_resources(rules, definitions);
    learn_from_code(subject, subject_code);
    learn_from_configuration(subject.vocabulary, subject.configuration);
    runner::complete(subject.vocabulary);
    cases::Cluster cluster{.objects = {subject.configuration}};
    if (auto configured = apiserver::read_configurations(cluster); !configured)
      return std::move(configured).error();
    manifest_.subjects.push_back(std::move(subject));
    manifest_.peers.push_back(std::move(peers));
    return std::nullopt;
  }

  std::optional<Error> unreachable(const cases::Backend& backend) const {
    if (!std::holds_alternative<cases::Url>(backend)) return std::nullopt;
    auto handler = outside_.resolve().outside(backend);
    return handler ? std::nullopt : std::optional(std::move(handler).error());
  }

  const std::string path_;
  const ExternalWebhooks& outside_;
  const NamedBy subjects_named_by_;
  std::string place_;
  std::size_t number_ = 0;                     ///< of the document in its file
  std::vector<Value> definitions_;             ///< of custom resources, those of other files first
  std::set<std::string> unknown_ = {};         ///< resources of webhooks that were passed over
  std::vector<std::string> passed_over_ = {};  ///< documents that say nothing of what is tested
  ChartObjects chart_;
  PolicySubjects policies_;
  std::vector<PlacedDocument> validating_;
  std::vector<std::string> names_;                 ///< of the webhooks in all documents
  std::vector<runner::ProgramText> mounted_ = {};  ///< the texts of all ConfigMaps
  Manifest manifest_;
};

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
