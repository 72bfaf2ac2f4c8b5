#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

// The kinds of objects that the rules of webhooks and policies select, and of which Cases can be drawn.
namespace fixpoint::external {

/// Returns the rules of all webhooks of a configuration, or of a policy.
std::vector<document::Value> rules_of(const document::Value& configuration);

/// Returns the kinds of which some rule selects requests: Pods, and those that the definitions define, in
/// every served version that a rule names.
std::vector<runner::DrawnKind> selected_kinds(std::span<const document::Value> rules,
                                              std::span<const document::Value> definitions);

/// Returns what the rules name beside these kinds, as `widgets.example.io`; nothing for a `*`.
std::vector<std::string> other_resources(std::span<const document::Value> rules,
                                         std::span<const document::Value> definitions);

/// Returns the resources that the rules select and that a webhook converts between versions, as
/// `widgets.example.io`.
std::vector<std::string> converted_by_webhook(std::span<const document::Value> rules,
                                              std::span<const document::Value> definitions);

/// Returns true if some rule selects requests for the kind.
bool selects_kind(std::span<const document::Value> rules, const cases::Kind& kind);

/// Returns a definition for the kind of an object that a rule selects by its plural name, for an object whose
/// definition nobody gave: it may hold anything. Nothing if no rule names a resource that could be its kind.
std::optional<document::Value> guessed_definition(const document::Value& object,
                                                  std::span<const document::Value> rules);

/// Adds all CustomResourceDefinitions in a document, also those in Lists.
void add_definitions(const document::Value& document, std::vector<document::Value>& definitions);

/// Reads a file, or the files of a folder, that holds CustomResourceDefinitions and nothing else; empty for
/// any other file or folder, and for a name that is neither.
document::Result<std::vector<document::Value>> read_definitions_alone(const std::string& path,
                                                                      const Limits& limits);

/// Returns a definition without the texts for people, which decide nothing and may be most of it.
document::Value without_descriptions(const document::Value& definition);

}  // namespace fixpoint::external
