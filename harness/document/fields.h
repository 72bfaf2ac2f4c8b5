#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// Reads the members of one object of our own formats, strictly: an unknown or repeated member, a wrong type
/// or a missing required member is one error that names the JSON pointer. The first problem is kept; later
/// calls do nothing.
///
///     Fields fields(value, "/request", problem);
///     fields.optional("dryRun", request.dry_run);
///     fields.required("object", request.object);
///     fields.finish();
class Fields {
 public:
  /// `problem` outlives the reader and collects the first error of a whole tree of readers.
  Fields(const Value& object, std::string pointer, std::optional<Error>& problem);

  /// Each takes the member when it is there and not null; `optional` leaves `into` alone otherwise.
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
  /// The member must be an object, if it is there; `read` is called with a reader of it and finishes it
  /// itself.
  void object(const Name& name, const std::function<void(Fields&)>& read);
  /// The member must be a list, if it is there; `read` is called with each element and its pointer.
  void list(const Name& name, const std::function<void(const Value&, const std::string&)>& read);
  /// The member must be an object, if it is there; `read` is called with each member, its name and its
  /// pointer.
  void map(const Name& name,
           const std::function<void(const std::string&, const Value&, const std::string&)>& read);

  /// Whether the member is there and not null; it counts as known.
  bool has(const Name& name);
  const Value& get(const Name& name);
  /// Refuses members that nothing asked for.
  void finish();
  /// An error for each of them, for a reader that tells all that is wrong.
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

/// The closest of `candidates`, if it is close enough to be what was meant (edit distance at most a third).
std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string_view>& candidates);
/// " (did you mean \"x\"?)" or nothing.
std::string did_you_mean_suffix(std::string_view word, const std::vector<std::string_view>& candidates);

/// Texts, in their order, as a list of our own formats.
inline Value list_of(const auto& texts) { return std::vector<Value>(texts.begin(), texts.end()); }

}  // namespace fixpoint::document
