#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/pod/prepared_vocabulary.h"
#include "harness/runner/trigger.h"

namespace fixpoint::generators {

/// A webhook with everything that is needed to draw it.
struct PreparedSubject {
  Subject subject;
  std::string configuration;  ///< its name
  PreparedVocabulary vocabulary;
  std::vector<runner::Trigger> triggers = {};  ///< those that steering leads
  /// Handlers whose output occurs as input: its own and those of its earlier releases, by key of the webhook.
  std::vector<std::map<std::string, webhooks::Handler>> injected_by = {};
};

struct DrawContext::Prepared {
  DrawOptions options;
  std::vector<PreparedSubject> subjects;
  std::vector<PreparedSubject> peers;  ///< script peers behind those of the options
};

/// Adds the subject to the Case with that configuration: as the subject under its own name, or, with a place,
/// as a neighbour whose configuration's name begins with that and is sorted by it.
void join(Case& value, const PreparedSubject& prepared_subject, Value configuration,
          const std::string& place = "");

/// The well-behaved script webhooks that ship with the generators.
std::vector<Subject> script_peers();

/// Replaces the request and the cluster of the Case with those of the example, with the objects that its Pod
/// names.
void put_example(Case& value, const Case& example);
/// The example, subject and all, that the Case of that number is, if it is one.
std::optional<Case> draw_beginning(const Choices& choices, const DrawContext& draw_context);
/// In a share of the Cases an example of the subject, else nullptr.
const Case* some_example(Choices& choices, const PreparedSubject& subject);

/// Changes the Case into one whose Pod went through its webhook before, if there is a handler for
/// that. It is drawn which parts a user's copy lacks.
void make_injected(Case& value, const PreparedSubject& prepared_subject, Choices& choices);
/// Changes the Case into an UPDATE of a stored Pod, of one of the kinds that clients and controllers send.
void make_update(Case& value, const PreparedSubject& prepared_subject, Choices& choices);

/// Now and then a fault; and one for certain, of a webhook of the Case.
void draw_faults(Case& value, Choices& choices);
void add_fault(Case& value, Choices& choices);
/// The metadata of the request's Namespace, which joins the cluster if it was implied; the server adds the
/// label with its name. The last of several counts.
Value& metadata_of_namespace(Case& value);
/// Draws the request's namespace, its labels and annotations, as far as the words concern them.
void draw_namespace(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices);
/// Draws the user of the request, as far as the words concern one.
void draw_user(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices);
/// Adds objects and settings beside the request, each now and then; and one of them for certain.
void draw_cluster(Case& value, Choices& choices);
void add_circumstance(Case& value, Choices& choices);
/// Draws another policy, condition or selector for a webhook that is no subject.
void draw_policies(Value& webhook, Choices& choices);

}  // namespace fixpoint::generators
