#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/pod/prepared_vocabulary.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

/// A webhook with everything that drawing it needs.
struct PreparedSubject {
  Subject subject;
  std::string configuration;  ///< the name of its configuration
  PreparedVocabulary vocabulary;
  std::vector<runner::Trigger> triggers = {};  ///< those that steering may set
  /// The triggers that the first Cases of a run try one by one, by their numbers, the surest first: those of
  /// a webhook outside of the process, whose meaning is a guess.
  std::vector<std::size_t> tried = {};
  bool is_outside = false;  ///< a URL or a command is behind one of its webhooks
  bool reads_served() const {
    return is_outside && !(subject.vocabulary.reads.empty() && subject.vocabulary.objects.empty());
  }
  /// Handlers whose output serves as input: the subject's own and those of its earlier releases, by webhook
  /// key.
  std::vector<std::map<std::string, webhooks::Handler>> injected_by = {};
};

struct DrawContext::Prepared {
  DrawOptions options;
  std::vector<PreparedSubject> subjects;
  std::vector<PreparedSubject> peers;     ///< the peers of the options, then the script webhooks
  std::vector<PreparedSubject> policies;  ///< neighbours that are MutatingAdmissionPolicies
};

/// Adds the subject to the Case with that configuration. Without a place it joins as the subject under its
/// own name; with one it joins as a neighbour, and the place becomes the prefix that sorts the
/// configuration's name.
void join(Case& value, const PreparedSubject& prepared_subject, Value configuration,
          const std::string& place = "");

/// Gives the Case one of the subject's guessed triggers, if its number is among the first of a run: each with
/// its likeliest value, then with odd ones. So 200 Cases have tried the 60 surest, whatever else they hold.
void try_trigger(Case& value, const PreparedSubject& prepared_subject, std::uint64_t beginnings,
                 Choices& choices);
inline constexpr std::size_t kTriedTriggersMax = 60;
inline constexpr std::uint64_t kTryingCases = 200;

/// Adds the subject under its own name, and objects that it reads.
void join_subject(Case& value, const PreparedSubject& prepared_subject, Choices& choices);

/// Returns the well-behaved script webhooks that ship with the generators.
std::vector<Subject> script_peers();
/// Returns the well-behaved MutatingAdmissionPolicies that ship with the generators.
std::vector<Subject> policy_neighbours();
/// Adds policies in a quarter of the Cases in which a server runs them: each forces a second pass.
void draw_policy_neighbours(Case& value, const DrawContext::Prepared& prepared, Choices& choices);

/// Replaces the request and the cluster of the Case with those of the example, and adds the objects that the
/// example's Pod refers to. A Case in a plain namespace stays there if the example is in `default`, or unless
/// `keeps_namespace`.
void put_example(Case& value, const Case& example, bool keeps_namespace = true);
/// Returns true for a Case that gets the namespace of an example: all, but of those in a plain namespace a
/// quarter, as such Cases stand side by side.
bool keeps_namespace(const Case& value, Choices& choices);
/// Removes objects of the Case, of an example or a seed, that stand in the place of one that the chart of an
/// external subject brings along: with another configuration the webhook is another one.
void prefer_chart_objects(Case& value, const PreparedSubject& prepared_subject);
/// Returns the unchanged example, with its subject, if the number of the Case is that of an example.
std::optional<Case> draw_beginning(const Choices& choices, const DrawContext& draw_context);
/// Puts a Case of a subject that reads a served cluster into a plain namespace of its own, so that such Cases
/// stand side by side.
void draw_plain_namespace(Case& value, const PreparedSubject& prepared_subject, const Choices& choices);
/// Returns an example of the subject in a share of the Cases, else nullptr.
const Case* some_example(Choices& choices, const PreparedSubject& subject);

/// Changes the Case into one whose Pod already went through its webhook, if there is a handler for it. Some
/// parts of that Pod may be missing, as in a user's incomplete copy.
void make_injected(Case& value, const PreparedSubject& prepared_subject, Choices& choices);
/// Changes the Case into an UPDATE of a stored Pod, of a kind that clients or controllers send.
void make_update(Case& value, const PreparedSubject& prepared_subject, Choices& choices);

/// Adds faults in some of the Cases. add_fault always adds one, if the Case has a webhook.
void draw_faults(Case& value, Choices& choices);
void add_fault(Case& value, Choices& choices);
/// Lets reads of the cluster fail in some Cases of a subject that reads it through the API.
void draw_read_fault(Case& value, const PreparedSubject& prepared_subject, Choices& choices);
/// Returns the metadata of the request's Namespace, which is added to the cluster if it was implicit. The
/// server adds the label with its name. Of several such Namespaces, the last one counts.
Value& metadata_of_namespace(Case& value);
/// Draws the request's namespace with its labels and annotations, as far as the vocabulary contains any.
void draw_namespace(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices);
/// Draws the user of the request, if the vocabulary contains users.
void draw_user(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices);
/// Adds objects and settings beside the request, each in some of the Cases. add_optional_part always adds
/// one.
void draw_cluster(Case& value, Choices& choices);
void add_optional_part(Case& value, Choices& choices);
/// Adds, in a small share of the Cases, what judges the final Pod (a level of PodSecurity, bounds, a quota),
/// or a plugin that managed clusters switch on. The Pod of the request mostly passes it. What demands
/// something of every container is drawn for a webhook outside of the process without neighbours: it says
/// something about that webhook alone.
void draw_judges(Case& value, const PreparedSubject& prepared_subject, Choices& choices);
/// Returns true if the request's namespace has a LimitRange. A Case is drawn with one at most, since the
/// server walks over several in no certain order.
bool has_limit_range(const Case& value);
/// Draws another policy, condition or selector for a webhook that is not a subject.
void draw_policies(Value& webhook, Choices& choices);

}  // namespace fixpoint::generators
