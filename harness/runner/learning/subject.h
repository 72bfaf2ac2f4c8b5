#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

using document::Value;

/// The lists of names of a vocabulary, by what they name: a new list is a row here.
enum class NameKind {
  container,       ///< a regular container that the webhook looks for or adds
  main_container,  ///< of those, the first one in a Pod of its users
  init_container,
  volume,
  mount_path,
  env,
  port_name,
  port,      ///< its number
  fragment,  ///< a part of a text that it looks for in values: `@azurekeyvault`, `arn:aws:`
  count      ///< of the kinds
};

/// Lists of names, by their kind.
struct Names {
  using List = std::vector<Value>;
  Names() = default;
  Names(std::initializer_list<std::pair<NameKind, List>> some) {
    for (const auto& [kind, list] : some) (*this)[kind] = list;
  }
  List& operator[](NameKind kind) { return lists[static_cast<std::size_t>(kind)]; }
  const List& operator[](NameKind kind) const { return lists[static_cast<std::size_t>(kind)]; }

  std::array<List, static_cast<std::size_t>(NameKind::count)> lists = {};
};

/// The vocabulary of a webhook, as data for the generator: it draws Pods that contain these values, near
/// matches of them, or neither:
///
///     Vocabulary words{.names = {{NameKind::container, {"agent"}}, {NameKind::volume, {"certs"}}}};
///     words.add_common(Trigger::Where::annotation, {{"agent.example.com/inject", {"true"}}});
struct Vocabulary {
  using KeyedValues = std::pair<std::string, std::vector<std::string>>;  ///< a key and values that matter

  /// The values by which it decides. Rare ones lead to another result than the others, or keep the webhook
  /// from acting: each is drawn rarely, with any of its values. A key may be there several times.
  std::vector<Trigger> triggers = {};
  /// Returns the keys of one place, in the order in which they were added: the common or the rare ones.
  std::vector<KeyedValues> common(Trigger::Where where) const;
  std::vector<KeyedValues> rare(Trigger::Where where) const;
  void add_common(Trigger::Where where, const std::vector<KeyedValues>& keys);
  void add_rare(Trigger::Where where, const std::vector<KeyedValues>& keys);

  Names names = {};
  /// An element that it adds to another list of a Pod's spec: tolerations, hostAliases.
  struct Element {
    std::string list;
    Value value;
  };
  std::vector<Element> elements = {};
  std::vector<std::string> members = {};  ///< other members it writes: dnsConfig, lifecycle
  /// Alternatives for cluster objects it reads: of each inner list one is drawn (the first is the simplest);
  /// a null stands for "none of them".
  std::vector<std::vector<Value>> objects = {};
  /// Objects of one kind that it reads from the cluster through an API (docs/cluster-api.md#drawn).
  struct Read {
    std::string api_version = {}, kind = {};
    bool is_namespaced = true;
    bool is_watched = false;                ///< through an informer: changes reach it as events
    std::vector<std::string> names = {};    ///< that it asks for, whatever the Pod says
    std::vector<std::string> sources = {};  ///< fields of the Pod that hold the name (field_path.h)
    /// Other namespaces than the request's, in which it looks for `names`.
    std::vector<std::string> namespaces = {};
    /// Labels by which it selects objects of the kind, with a value that it asked for.
    std::map<std::string, std::string> labels = {};
    Value schema = {};  ///< the openAPIV3Schema of a custom resource
  };
  std::vector<Read> reads = {};
  std::vector<std::string> constants = {};  ///< of the program that may name objects: trusted-ca-bundle
  std::vector<std::string> data_keys = {};  ///< keys that it looks for in Secrets and ConfigMaps
  /// Values with which it compares members of an object of any kind, by the name of the member
  /// (member_values.h), and texts that it compares with anything.
  std::vector<KeyedValues> member_values = {};
  std::vector<std::string> texts = {};
  std::vector<std::string> map_keys = {};  ///< that it looks up, and that may be keys of a map of any names
  /// Members of which an object has exactly one, by what the webhook says when it refuses another.
  std::vector<std::vector<std::string>> alternatives = {};
  /// The words of a small program, spelled as the members that it may mean, sorted (member_values.h).
  std::vector<std::string> named = {};
  /// The place of each key of a trigger that a text spells, FILE:LINE.
  std::map<std::string, std::string> places = {};
};

/// A kind of objects for which requests are drawn.
struct DrawnKind {
  std::string api_version = {}, name = {};
  bool is_pod() const { return name == "Pod" && api_version == "v1"; }
  bool operator==(const DrawnKind&) const = default;
};

/// A webhook configuration and its backends: the subject of a run, or a neighbour.
struct Subject {
  std::string name = {};                                ///< kserve/modelcar@0.12.0
  Value configuration = {};                             ///< the real MutatingWebhookConfiguration
  std::map<std::string, cases::Backend> webhooks = {};  ///< by <configuration>/<webhook>
  std::vector<Value> objects = {};                      ///< always in the cluster
  /// The backends of the validating webhooks that are configured among `objects`, by the same names.
  std::map<std::string, cases::Backend> validators = {};
  Vocabulary vocabulary = {};
  /// The kinds whose requests its rules select and that can be drawn: Pods, and those that are defined among
  /// `objects` or have an example. Empty: Pods alone.
  std::vector<DrawnKind> kinds = {};
  std::vector<std::string> other_resources = {};  ///< that its rules name beside: `deployments.apps`
  /// A hash of the texts from which its vocabulary was learned; empty if there were none.
  std::string learned_from = {};
  /// Requests of its users with the objects of their cluster, without webhooks: a run begins with each
  /// unchanged, then draws around them.
  std::vector<cases::Case> examples = {};
};

/// Returns the name without its release: every kserve/modelcar@x is the same subject to a fingerprint.
std::string without_release(std::string_view name);

}  // namespace fixpoint::runner
