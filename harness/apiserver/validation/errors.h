#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/validation/path.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/result.h"
#include "harness/document/server_text.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// The supported values: an array, or a list that lives as long as the call.
class Choices {
 public:
  template <std::size_t kCount>
  constexpr Choices(const std::string_view (&list)[kCount])
      : list_(list) {}  // NOLINT(google-explicit-constructor)
  Choices(std::initializer_list<std::string_view> list) : list_(list.begin(), list.size()) {}
  explicit Choices(std::span<const std::string_view> list) : list_(list) {}
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::span<const std::string_view> list_;
};

using document::Detail;
using document::Text;

/// The errors found so far, in the form and the words of the API server's field errors (ErrorBody in
/// k8s.io/apimachinery/pkg/util/validation/field/errors.go).
class Errors {
 public:
  /// Texts are those of the minor.
  explicit Errors(int minor = kNewestMinor) : minor_(minor) {}
  void required(const Path& path, Detail detail = {});
  /// The value as json.Marshal writes it; a text in quotes.
  void invalid(const Path& path, const document::Value& value, Detail detail);
  void invalid(const Path& path, std::string_view value, Detail detail);
  void invalid(const Path& path, const char* value, Detail detail) {
    invalid(path, std::string_view(value), detail);
  }
  /// A text of a Go type of its own, or behind a pointer, which the server writes with json.Marshal.
  void invalid_typed(const Path& path, std::string_view value, Detail detail);
  void invalid_typed(const Path& path, std::string_view value, const Problems& problems);
  /// The value of a Go struct, or a list of such, whose members have other names than the document's.
  void invalid(const Path& path, const document::Value& value, std::span<const document::GoMember> members,
               Detail detail);
  /// Adds one error per problem with the format.
  void invalid(const Path& path, std::string_view value, const Problems& problems);
  void duplicate(const Path& path, std::string_view value);
  void duplicate_typed(const Path& path, std::string_view value);
  void duplicate_value(const Path& path, const document::Value& value);
  /// Without the value, which the server leaves out of some errors (field.OmitValueType).
  void invalid_hidden(const Path& path, Detail detail);
  void duplicate_hidden(const Path& path);
  void forbidden(const Path& path, Detail detail);
  /// The value is of a Go type of its own, as nearly all are that have choices.
  void not_supported(const Path& path, std::string_view value, Choices choices);
  void not_supported_text(const Path& path, std::string_view value, Choices choices);
  void not_supported_value(const Path& path, const document::Value& value, Choices choices);
  /// The value of a Go struct, whose members have other names than the document's.
  void not_supported_struct(const Path& path, const document::Value& value,
                            std::span<const document::GoMember> members, Choices choices);
  void not_found(const Path& path, std::string_view value, Detail detail = {});
  void too_long(const Path& path, std::size_t bytes_max);
  void too_many(const Path& path, std::size_t count, std::size_t count_max);
  /// A value of another JSON type than a schema demands; the server shows that type in its place.
  void wrong_type(const Path& path, std::string_view found, Detail detail);

  std::span<const FieldError> all() const { return list_; }
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  /// Returns the errors sorted by field, type and message; duplicates are kept.
  std::vector<FieldError> take_sorted() &&;
  void append(Errors&& others);
  /// The same for errors of a value that was validated alone, as the field `root`, and stands at a path.
  void append_below(const Path& path, std::string_view root, Errors&& others);
  /// Keeps each error once.
  void drop_repeated();

 private:
  void add(const char* type, const Path& path, std::string message);
  void add_unsupported(const Path& path, const std::string& value, Choices choices);
  int minor_;
  std::vector<FieldError> list_ = {};
};

void sort_errors(std::vector<FieldError>& errors);

/// Returns the server's sentence about an object that has errors: the first in full, and the number of
/// others. `kind` is the kind with its group.
document::Error refusal_of(const std::string& kind, std::string_view name,
                           std::span<const FieldError> errors);

bool is_one_of(std::string_view value, Choices choices);
/// Reports Required if the value is empty, NotSupported if it is none of the choices.
void check_choice(const document::Value& value, Choices choices, const Path& path, Errors& errors);

}  // namespace fixpoint::apiserver::validation
