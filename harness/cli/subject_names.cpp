#include "harness/cli/subject_names.h"

#include <algorithm>
#include <utility>

#include "corpus/corpus_files.h"
#include "corpus/examples.h"
#include "corpus/found_examples.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"
#include "harness/document/joined.h"
#include "harness/external/cluster_api/shown_objects.h"
#include "harness/external/manifests/manifest.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cli {

namespace {

using document::Error;
using document::Result;
using document::Value;
using external::ExternalWebhooks;
using generators::Subjects;
using runner::Subject;

std::optional<Error> add_file(generators::Subjects& found, std::vector<std::string>& peers,
                              const std::string& path, const external::ExternalWebhooks& outside,
                              const std::vector<Value>& definitions) {
  auto manifest = external::read_manifest(path, outside, definitions);
  if (!manifest) return std::move(manifest).error();
  found.has_files = true;
  for (std::string& note : manifest->notes) found.notes.push_back(std::move(note));
  found.code.insert(found.code.end(), manifest->code.begin(), manifest->code.end());
  for (std::string& what : manifest->not_simulated) found.not_simulated.push_back(std::move(what));
  for (Subject& subject : manifest->subjects) {
    const auto [known, is_new] = found.files.emplace(subject.configuration["metadata"]["name"].text(), path);
    if (!is_new)
      return Error{"two subjects have the name \"" + subject.name + "\", one in " + known->second +
                       ": a cluster holds one of them; leave one out or rename it",
                   path};
    found.chains.subjects.push_back(std::move(subject));
  }
  for (const auto& names : manifest->peers) peers.insert(peers.end(), names.begin(), names.end());
  return std::nullopt;
}

/// Returns definitions of the custom kinds that the subject reads: a client that asks for one must find it
/// served, whether or not there is an object.
std::vector<Value> definitions_read(const Subject& subject) {
  cases::Cluster read;
  for (const auto& alternatives : subject.vocabulary.objects)
    for (const Value& object : alternatives)
      if (!object.is_null()) read.objects.push_back(object);
  std::vector<Value> definitions = external::definitions_of(read);
  for (Value& definition : definitions) {
    definition.edit("metadata").remove("annotations");
    // An object without a namespace does not say it; the name of a cluster-wide kind mostly does.
    const bool is_wide = definition["spec"]["names"]["kind"].text().starts_with("Cluster");
    definition.edit("spec").set("scope", is_wide ? "Cluster" : "Namespaced");
    Value& version = definition.edit("spec").edit("versions").edit(0);
    version.set("schema",
                {{"openAPIV3Schema", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}});
  }
  return definitions;
}

/// Replaces the backends of a catalog subject for which --webhook names another one; its vocabulary stays
/// that of the catalog. Returns an error if the webhook does not start.
std::optional<Error> put_outside(Subject& subject, const external::ExternalWebhooks& outside) {
  bool is_outside = false;
  for (auto& [key, backend] : subject.webhooks) {
    auto said = outside.named(key);
    if (!said) continue;
    is_outside = true;
    backend = *std::move(said);
  }
  if (!is_outside) return std::nullopt;
  for (Value& definition : definitions_read(subject)) subject.objects.push_back(std::move(definition));
  cases::Cluster cluster{.objects = subject.objects};
  cluster.objects.push_back(subject.configuration);
  return outside.await_start(cluster);
}

std::optional<Error> add_name(generators::Subjects& found, const std::string& name,
                              const external::ExternalWebhooks& outside) {
  if (injectors::is_reconciler(name)) {
    auto reconciler = injectors::full_reconciler_name(name);
    if (!reconciler) return std::move(reconciler).error();
    found.reconcilers.push_back(*std::move(reconciler));
    return std::nullopt;
  }
  auto subject = injectors::find_subject(name);
  if (!subject) return std::move(subject).error();
  if (auto problem = put_outside(*subject, outside)) return problem;
  found.chains.subjects.push_back(*std::move(subject));
  return std::nullopt;
}

/// Adds the neighbours: those that the files name, otherwise the newest well-behaved ones of the catalog.
std::optional<Error> add_peers(generators::DrawOptions& draw, const std::vector<std::string>& named) {
  if (named.empty()) draw.peers = injectors::newest(injectors::Role::peer);
  for (const std::string& name : named) {
    auto peer = injectors::find_subject(name);
    if (!peer) return std::move(peer).error().within("peers");
    draw.peers.push_back(*std::move(peer));
  }
  // A neighbour that is itself a subject is not drawn beside itself.
  std::erase_if(draw.peers, [&](const Subject& peer) {
    return std::any_of(draw.subjects.begin(), draw.subjects.end(),
                       [&](const Subject& subject) { return subject.name == peer.name; });
  });
  return std::nullopt;
}

/// Returns an error if two subjects have one name: reports could not distinguish them, nor could a cluster
/// hold both.
std::optional<Error> same_names(const std::vector<Subject>& subjects) {
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (subjects[i].name == subjects[j].name)
        return Error{"two subjects have the name \"" + subjects[i].name + "\": leave one out"};
    }
  }
  return std::nullopt;
}

/// Adds the kind of an example to those that are drawn for the subject, if its rules select it. An object
/// of a kind that nothing defines may hold anything.
bool take_kind_of(Subject& subject, const Value& object) {
  const std::vector<Value> rules = external::rules_of(subject.configuration);
  cases::Cluster cluster{.objects = subject.objects};
  const std::string_view api_version = object["apiVersion"].text(), name = object["kind"].text();
  auto kind = cases::find_kind(api_version, name, cluster);
  std::optional<Value> guessed;
  if (!kind) {
    guessed = external::guessed_definition(object, rules);
    if (guessed) kind = cases::defined_kind(*guessed, api_version.substr(api_version.find('/') + 1));
  }
  if (!kind || !external::selects_kind(rules, *kind)) return false;
  const runner::DrawnKind drawn{std::string(api_version), std::string(name)};
  if (std::find(subject.kinds.begin(), subject.kinds.end(), drawn) == subject.kinds.end())
    subject.kinds.push_back(drawn);
  std::erase(subject.other_resources, kind->resource());
  if (guessed) subject.objects.push_back(*std::move(guessed));
  return true;
}

/// Notes the kinds of Kubernetes that are drawn and of which the simulator validates the metadata alone.
void note_unvalidated(const std::vector<Subject>& subjects, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const Subject& subject : subjects) {
    for (const runner::DrawnKind& drawn : subject.kinds) {
      const cases::Kind* kind = cases::built_in_kind(cases::group_of(drawn.api_version), drawn.name);
      const bool is_known = kind == nullptr || apiserver::strategy_of(*kind).validates_content ||
                            std::find(names.begin(), names.end(), drawn.name) != names.end();
      if (!is_known) names.push_back(drawn.name);
    }
  }
  if (!names.empty())
    notes.push_back("not validated: " + document::joined(names) +
                    ", whose metadata alone are validated here");
}

/// Gives the subjects the objects of other kinds as examples, and notes those that are of no use: none takes
/// them, and there is no Pod in whose cluster they are.
void give_others(std::vector<Subject>& subjects, const corpus::Examples& examples,
                 std::vector<std::string>& notes) {
  for (const corpus::Examples::Other& other : examples.others) {
    bool is_taken = false;
    for (Subject& subject : subjects) {
      if (generators::is_bundled(subject) || !take_kind_of(subject, other.object)) continue;
      is_taken = true;
      cases::Case value{.note = "An example " + std::string(other.object["kind"].text()) + "."};
      value.request.object = other.object;
      const std::string_view space = other.object["metadata"]["namespace"].text();
      if (!space.empty()) value.request.namespace_name = space;
      subject.examples.push_back(std::move(value));
    }
    if (!is_taken && examples.cases.empty())
      notes.push_back(other.place + ": " + std::string(other.object["kind"].text()) + " is passed over");
  }
}

/// Returns an error for a subject of which no object can be drawn, and notes what else its rules name.
std::optional<Error> undrawn(const std::vector<Subject>& subjects, std::vector<std::string>& notes) {
  for (const Subject& subject : subjects) {
    const auto& others = subject.other_resources;
    if (others.empty()) continue;
    const std::string what = "rules of " + subject.name + " select " + document::joined(others);
    const bool is_custom = others.front().find('.', others.front().find('.') + 1) != std::string::npos;
    const std::string help =
        std::string(": give --example one") + (is_custom ? ", or the CustomResourceDefinition" : "");
    if (subject.kinds.empty()) return Error{what + ", of which nothing is known here" + help};
    notes.push_back(what + ", which are not drawn" + help);
  }
  return std::nullopt;
}

/// Gives a subject its examples and the seeds that fit it. A bundled subject learns nothing from seeds, since
/// its vocabulary is complete.
void give_examples(Subject& subject, const std::vector<cases::Case>& examples,
                   const std::vector<cases::Case>& seeds) {
  const bool is_bundled = generators::is_bundled(subject);
  if (!generators::takes_pods(subject)) return runner::complete(subject.vocabulary);
  subject.examples.insert(subject.examples.begin(), examples.begin(), examples.end());
  for (const cases::Case& example : subject.examples) learn_from_example(subject.vocabulary, example);
  for (const cases::Case& seed : seeds) {
    if (!corpus::fits(seed, subject)) continue;
    if (!is_bundled) learn_from_example(subject.vocabulary, seed);
    subject.examples.push_back(seed);
  }
  if (!is_bundled) runner::complete(subject.vocabulary);
}

/// Gives a subject the examples that stand in its sources, behind those that its user names.
void give_found_examples(Subject& subject, Subjects& found, const Limits& limits) {
  if (found.code.empty() || generators::is_bundled(subject)) return;
  corpus::Examples examples = corpus::found_examples(found.code, subject.vocabulary, limits);
  for (cases::Case& example : examples.cases) {
    learn_from_example(subject.vocabulary, example);
    subject.examples.push_back(std::move(example));
  }
  found.notes.insert(found.notes.end(), examples.notes.begin(), examples.notes.end());
  runner::complete(subject.vocabulary);
}

/// Returns an error for a `--webhook` that names no webhook of the subjects.
std::optional<Error> unmet_webhook(const std::vector<Subject>& subjects, const ExternalWebhooks& outside) {
  const auto unmet = outside.unmet();
  // A policy names the webhooks of all its subjects, and run_gate() looks for each name among all of them.
  if (unmet.empty() || !outside.options().webhooks_file.empty()) return std::nullopt;
  std::vector<std::string_view> known;
  for (const Subject& subject : subjects) {
    for (const auto& [key, backend] : subject.webhooks) known.push_back(key);
    for (const Value& webhook : subject.configuration["webhooks"].elements())
      known.push_back(webhook["name"].text());
  }
  return Error{"no subject here has this webhook" + document::did_you_mean_suffix(unmet.front(), known),
               "--webhook " + unmet.front()};
}

}  // namespace

Result<generators::Subjects> find_subjects(const std::vector<std::string>& names,
                                           const external::ExternalWebhooks& outside) {
  generators::Subjects found;
  std::vector<std::string> peers;
  std::vector<Value> definitions;
  std::vector<std::string> subject_names;
  for (const std::string& name : names) {
    auto only = external::read_definitions_alone(name, outside.limits());
    if (!only) return std::move(only).error();
    if (only->empty()) subject_names.push_back(name);
    definitions.insert(definitions.end(), only->begin(), only->end());
  }
  for (const std::string& name : subject_names) {
    auto problem = external::is_manifest(name) ? add_file(found, peers, name, outside, definitions)
                                               : add_name(found, name, outside);
    if (!problem) continue;
    if (outside.options().subjects_file.empty()) return *std::move(problem);
    return std::move(*problem).within(outside.options().subjects_file);
  }
  if (!names.empty() && subject_names.empty())
    return Error{"expected a webhook or a policy beside the CustomResourceDefinitions, found none",
                 names.front()};
  if (names.empty()) {
    found.chains.subjects = injectors::newest(injectors::Role::subject);
    for (const auto& row : injectors::all_reconcilers())
      found.reconcilers.push_back(*injectors::full_reconciler_name(row.name));
  }
  const auto& subjects = found.chains.subjects;
  found.chains.has_chains = !names.empty() && subjects.size() > 1;
  found.calls_out = std::any_of(subjects.begin(), subjects.end(), generators::calls_out);
  if (auto problem = same_names(found.chains.subjects)) return *std::move(problem);
  if (auto problem = unmet_webhook(subjects, outside)) return *std::move(problem);
  found.names_peers = !peers.empty();
  if (auto problem = add_peers(found.chains, peers)) return *std::move(problem);
  found.chains.resolve = outside.resolve();
  for (const injectors::Injector& injector : injectors::all()) {
    for (std::string_view release : injector.releases)
      found.chains.earlier.push_back(std::string(injector.name).append("@").append(release));
  }
  return found;
}

void add_examples_option(Options& line, std::vector<std::string>& paths) {
  line.value("--example FILE", paths,
             "a file or folder of Pods, or workloads with a Pod template, as kubectl prints them; "
             "the run begins with them, draws variations, and learns from them when a webhook acts");
}

Result<generators::FindSubjects> find_with_examples(const std::vector<std::string>& paths, bool has_seeds,
                                                    const Limits& limits) {
  auto examples = corpus::read_examples(paths, limits);
  if (!examples) return std::move(examples).error().within("--example");
  std::vector<cases::Case> seeds;
  if (has_seeds) {
    auto stored = corpus::read_stored_seeds(corpus::corpus_folder(), limits);
    if (!stored) return std::move(stored).error();
    seeds = *std::move(stored);
  }
  return generators::FindSubjects(
      [examples = *std::move(examples), seeds = std::move(seeds)](
          const std::vector<std::string>& names, const ExternalWebhooks& outside) -> Result<Subjects> {
        auto found = find_subjects(names, outside);
        if (!found) return found;
        found->notes.insert(found->notes.end(), examples.notes.begin(), examples.notes.end());
        give_others(found->chains.subjects, examples, found->notes);
        for (Subject& subject : found->chains.subjects) {
          give_examples(subject, examples.cases, seeds);
          if (generators::takes_pods(subject)) give_found_examples(subject, *found, outside.limits());
        }
        if (auto problem = undrawn(found->chains.subjects, found->notes)) return *std::move(problem);
        note_unvalidated(found->chains.subjects, found->notes);
        return found;
      });
}

Result<runner::RunOptions> bundled_run(const std::string& name) {
  const ExternalWebhooks bundled_alone(injectors::bundled());
  const auto subjects = find_subjects({name}, bundled_alone);
  if (!subjects) return subjects.error();
  return generators::run_of(*subjects, bundled_alone);
}

}  // namespace fixpoint::cli
