#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/value.h"

/// Hides what may be secret where something leaves the process: reports, events on standard output, seeds
/// made of a cluster's Pods. secrets.h says what that is. Files of the run's own folder keep values, so that
/// they replay.
namespace fixpoint::cases {

/// What stands in the place of a secret.
inline constexpr std::string_view kRedacted = "redacted";
/// The same in a sentence that quotes a value: `Invalid value: "redacted"` would say that this was the value.
inline constexpr std::string_view kHiddenValue = "(redacted)";

/// Hides the secrets of documents, and in texts about them what it has hidden in the documents.
class Redaction {
 public:
  struct Options {
    bool keeps_env = false;  ///< the values of env stay
  };
  Redaction() = default;
  explicit Redaction(Options options) : options_(options) {}

  /// A document without its secrets: any object of Kubernetes, a part of one, a patch, a Case, an event.
  /// Secrets are the values of env, the data of Secrets, what follows a telling name, and what looks like a
  /// token.
  Value document(const Value& value);
  /// Remembers the secrets of a document, for text() and texts().
  void learn(const Value& value) { document(value); }
  /// Remembers the secrets of a finding: those of its Case or Sequence, and the value at its path.
  void learn(const Finding& finding);
  /// A sentence about the documents; of a secret that is a name elsewhere in them, the name is shown.
  std::string text(std::string text) const;
  /// A text that people read: like text(), and a hidden value loses its quotation marks.
  std::string sentence(std::string text) const;
  /// All strings of a value that speaks of the documents.
  Value texts(const Value& value) const;
  /// The texts of a trace.
  std::vector<StoryCall> calls(std::vector<StoryCall> calls) const;
  /// The finding, evidence included. Fingerprint and names stay.
  Finding finding(const Finding& finding);

 private:
  Value walk(const Value& value, std::string_view name);
  Value walk_object(const Value& object, std::string_view name);
  Value walk_list(const Value& list, std::string_view name);
  Value command(const Value& list);
  Value map_of_values(const Value& map, bool is_secret);
  Value patched(const Value& value, std::string_view path);
  Value named(std::string_view name, const Value& value);
  Value env_value(const Value& value);
  Value without_tokens(const Value& value, bool is_value);
  Value hidden(std::string_view text);
  void remember(std::string_view secret);
  void learn_evidence(const Evidence& evidence);

  /// Longer ones are looked for first: a secret may be a part of another.
  struct ByLength {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };
  Options options_ = {};
  std::set<std::string, ByLength> secrets_ = {};
  std::set<std::string> visible_ = {};  ///< names, images: what they say is shown
};

Value redacted(const Value& document);
Finding redacted(const Finding& finding);

}  // namespace fixpoint::cases
