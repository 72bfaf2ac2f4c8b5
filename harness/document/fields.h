#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// Reads the members of one object of our own formats, strictly: an unknown or duplicate member, a wrong type
/// or a missing required member is an error that names the JSON pointer. The first error is kept; later calls
/// do nothing.
///
///     Fields fields(value, "/request", problem);
///     fields.optional("dryRun", request.dry_run);
///     fields.required("object", request.object);
///     fields.finish();
class Fields {
 public:
  /// `problem` outlives the reader and collects the first error of a whole tree of readers.
  Fields(const Value& object, std::string pointer, std::optional<Error>& problem);

  /// Each reads the member if it is present and not null; `optional` leaves `into` unchanged otherwise.
  void optional(const Name& name, std::string& into);
  void optional(const Name& name, bool& into);
  void optional(const Name& name, int& into);
  void optional(const Name& name, std::int64_t& into);
  void optional(const Name& name, std::vector<std::string>& into);
  void optional(const Name& name, Value& into);
  void optional_above_0(const Name& name, double& into);
  void required(const Name& name, std::string& into);
  void required(const Name& name, Value& into);
  void required_above_0(const Name& name, double& into);
  /// One of a fixed set of words.
  void choice(const Name& name, std::string& into, const std::vector<std::string_view>& words);
  /// The member must be an object, if present; `read` gets a reader of it, on which it calls finish() itself.
  void object(const Name& name, const std::function<void(Fields&)>& read);
  /// The member must be a list, if present; `read` is called with each element and its pointer.
  void list(const Name& name, const std::function<void(const Value&, const std::string&)>& read);
  /// The member must be an object, if present; `read` is called with each member's name, value and pointer.
  void map(const Name& name,
           const std::function<void(const std::string&, const Value&, const std::string&)>& read);

  /// Returns true if the member is present and not null; it then counts as known.
  bool has(const Name& name);
  const Value& get(const Name& name);
  /// Reports members that were not read.
  void finish();
  /// An error for each of them, for readers that report all errors.
  std::vector<Error> unknown() const;

  void fail(const Name& name, std::string expected);
  void fail_here(std::string expected);
  bool failed() const { return problem_.has_value(); }
  const std::string& pointer() const { return pointer_; }

 private:
  const Value* take(const Name& name);
  std::string pointer_to(std::string_view name) const;

  const Value& object_;
  std::string pointer_;
  std::optional<Error>& problem_;
  std::vector<std::string_view> known_;
};

/// The closest of `candidates` if it is a plausible correction (edit distance at most a third).
std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string_view>& candidates);
/// " (did you mean \"x\"?)" or nothing.
std::string did_you_mean_suffix(std::string_view word, const std::vector<std::string_view>& candidates);

/// A list of texts in our own formats.
inline Value list_of(const auto& texts) { return std::vector<Value>(texts.begin(), texts.end()); }

}  // namespace fixpoint::document
