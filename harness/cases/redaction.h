#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/value.h"

/// Hides possible secrets in output that leaves the process: reports, events on standard output, seeds made
/// from the Pods of a cluster. secrets.h defines secrets. The files in a run's own folder keep the values, so
/// that its Cases replay.
namespace fixpoint::cases {

/// The text that replaces a secret.
inline constexpr std::string_view kRedacted = "redacted";
/// The replacement in a sentence that quotes a value, where `Invalid value: "redacted"` would look like a
/// real value.
inline constexpr std::string_view kHiddenValue = "(redacted)";

/// Returns the text with these secrets, which are parts of it in this order, replaced (secrets_in()).
std::string without(std::string_view text, const std::vector<std::string_view>& secrets,
                    std::string_view replacement = kRedacted);

/// Hides the secrets of documents, and copies of these secrets in texts about the documents.
class Redaction {
 public:
  struct Options {
    bool keeps_env = false;  ///< do not hide the values of env
  };
  Redaction() = default;
  explicit Redaction(Options options) : options_(options) {}

  /// Returns a document without its secrets: any Kubernetes object or a part of one, a patch, a Case, an
  /// event. Secrets are values of env, the data of Secrets, values whose name suggests a secret, and texts
  /// that look like a token.
  Value document(const Value& value);
  /// Remembers the secrets of a document, for text() and texts().
  void learn(const Value& value) { document(value); }
  /// Remembers the secrets of a finding: those of its Case or Sequence, and the value at its path.
  void learn(const Finding& finding);
  /// Returns a sentence about the documents with its secrets hidden. A secret that is also a name in the
  /// documents is shown.
  std::string text(std::string text) const;
  /// Returns a text for display: like text(), but a hidden value loses its quotation marks.
  std::string sentence(std::string text) const;
  /// Hides secrets in all strings of a value about the documents.
  Value texts(const Value& value) const;
  /// Hides secrets in the texts of a trace.
  std::vector<TraceStep> calls(std::vector<TraceStep> calls) const;
  /// Returns the finding without secrets, evidence included. Its fingerprint and names stay.
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

  /// Sorts long texts first, since a short secret may be a part of a longer one.
  struct ByLength {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };
  Options options_ = {};
  std::set<std::string, ByLength> secrets_ = {};
  std::set<std::string> visible_ = {};  ///< names and images: texts that are always shown
};

Value redacted(const Value& document);
Finding redacted(const Finding& finding);

}  // namespace fixpoint::cases
