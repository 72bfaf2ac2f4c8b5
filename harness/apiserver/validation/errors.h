#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/validation/formats.h"
#include "harness/apiserver/validation/path.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// The supported values: an array, or a list that lives as long as the call.
class Choices {
 public:
  template <std::size_t kCount>
  constexpr Choices(const std::string_view (&list)[kCount])
      : list_(list) {}  // NOLINT(google-explicit-constructor)
  Choices(std::initializer_list<std::string_view> list) : list_(list.begin(), list.size()) {}
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::span<const std::string_view> list_;
};

/// The errors found so far, in the form of the API server's field errors.
class Errors {
 public:
  void required(const Path& path, std::string_view detail = {});
  void invalid(const Path& path, const document::Value& value, std::string_view detail);
  void invalid(const Path& path, std::string_view value, std::string_view detail);
  void invalid(const Path& path, const char* value, std::string_view detail) {
    invalid(path, std::string_view(value), detail);
  }
  /// Adds one error per problem with the format.
  void invalid(const Path& path, std::string_view value, const Problems& problems);
  void duplicate(const Path& path, std::string_view value);
  void forbidden(const Path& path, std::string_view detail);
  void not_supported(const Path& path, std::string_view value, Choices choices);
  void not_found(const Path& path, std::string_view value);
  void too_long(const Path& path, std::size_t bytes_max);
  void too_many(const Path& path, std::size_t count, std::size_t count_max);

  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  /// Returns the errors sorted by field, then type; duplicates are kept.
  std::vector<FieldError> take_sorted() &&;
  void append(Errors&& others);

 private:
  void add(const char* type, const Path& path, std::string message);
  std::vector<FieldError> list_ = {};
};

void sort_errors(std::vector<FieldError>& errors);

bool is_one_of(std::string_view value, Choices choices);
/// Reports Required if the value is empty, NotSupported if it is none of the choices.
void check_choice(const document::Value& value, Choices choices, const Path& path, Errors& errors);

}  // namespace fixpoint::apiserver::validation
