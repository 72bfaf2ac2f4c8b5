#include "harness/apiserver/validation/errors.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "harness/apiserver/validation/older_texts.h"
#include "harness/document/go_number.h"

namespace fixpoint::apiserver::validation {

namespace {

using document::go_json;
using document::go_quoted;

std::string with_detail(std::string head, Detail detail) {
  return detail.view().empty() ? head : head.append(": ").append(detail.view());
}

/// The value as json.Marshal writes it, a real number as %v does.
std::string printed(const document::Value& value) {
  const auto real = value.integer() ? std::nullopt : value.real();
  return real ? document::go_float_text(*real) : go_json(value);
}

}  // namespace

void Errors::add(const char* type, const Path& path, std::string message) {
  list_.push_back({type, path.text(), as_said_in(minor_, std::move(message))});
}

void Errors::required(const Path& path, Detail detail) {
  add("FieldValueRequired", path, with_detail("Required value", detail));
}

void Errors::invalid(const Path& path, const document::Value& value, Detail detail) {
  const std::string shown = value.is_string() ? go_quoted(value.text()) : printed(value);
  add("FieldValueInvalid", path, with_detail("Invalid value: " + shown, detail));
}

void Errors::invalid(const Path& path, std::string_view value, Detail detail) {
  add("FieldValueInvalid", path, with_detail("Invalid value: " + go_quoted(value), detail));
}

void Errors::invalid_typed(const Path& path, std::string_view value, Detail detail) {
  add("FieldValueInvalid", path, with_detail("Invalid value: " + go_json(document::Value(value)), detail));
}

void Errors::invalid_typed(const Path& path, std::string_view value, const Problems& problems) {
  for (const Text& problem : problems) invalid_typed(path, value, problem);
}

void Errors::invalid(const Path& path, const document::Value& value,
                     std::span<const document::GoMember> members, Detail detail) {
  add("FieldValueInvalid", path, with_detail("Invalid value: " + go_json(value, members), detail));
}

void Errors::invalid(const Path& path, std::string_view value, const Problems& problems) {
  for (const Text& problem : problems) invalid(path, value, problem);
}

void Errors::duplicate(const Path& path, std::string_view value) {
  add("FieldValueDuplicate", path, "Duplicate value: " + go_quoted(value));
}

void Errors::duplicate_value(const Path& path, const document::Value& value) {
  add("FieldValueDuplicate", path, "Duplicate value: " + go_json(value));
}

void Errors::duplicate_typed(const Path& path, std::string_view value) {
  add("FieldValueDuplicate", path, "Duplicate value: " + go_json(document::Value(value)));
}

void Errors::invalid_hidden(const Path& path, Detail detail) {
  add("FieldValueInvalid", path, with_detail("Invalid value", detail));
}

void Errors::duplicate_hidden(const Path& path) { add("FieldValueDuplicate", path, "Duplicate value"); }

void Errors::forbidden(const Path& path, Detail detail) {
  add("FieldValueForbidden", path, with_detail("Forbidden", detail));
}

void Errors::add_unsupported(const Path& path, const std::string& value, Choices choices) {
  std::string list;
  for (std::string_view choice : choices) list.append(list.empty() ? "" : ", ").append(go_quoted(choice));
  add("FieldValueNotSupported", path,
      with_detail("Unsupported value: " + value, "supported values: " + list));
}

void Errors::not_supported(const Path& path, std::string_view value, Choices choices) {
  add_unsupported(path, go_json(document::Value(value)), choices);
}

void Errors::not_supported_text(const Path& path, std::string_view value, Choices choices) {
  add_unsupported(path, go_quoted(value), choices);
}

void Errors::not_supported_value(const Path& path, const document::Value& value, Choices choices) {
  add_unsupported(path, printed(value), choices);
}

void Errors::not_supported_struct(const Path& path, const document::Value& value,
                                  std::span<const document::GoMember> members, Choices choices) {
  add_unsupported(path, go_json(value, members), choices);
}

void Errors::not_found(const Path& path, std::string_view value, Detail detail) {
  add("FieldValueNotFound", path, with_detail("Not found: " + go_quoted(value), detail));
}

void Errors::too_long(const Path& path, std::size_t bytes_max) {
  add("FieldValueTooLong", path, "Too long: may not be more than " + std::to_string(bytes_max) +
      (bytes_max == 1 ? " byte" : " bytes"));
}

void Errors::too_many(const Path& path, std::size_t count, std::size_t count_max) {
  add("FieldValueTooMany", path,
      "Too many: " + std::to_string(count) + ": must have at most " + std::to_string(count_max) +
          (count_max == 1 ? " item" : " items"));
}

void Errors::wrong_type(const Path& path, std::string_view found, Detail detail) {
  add("FieldValueTypeInvalid", path, with_detail("Invalid value: " + go_quoted(found), detail));
}

void Errors::drop_repeated() {
  std::vector<FieldError> kept;
  for (FieldError& error : list_) {
    const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const FieldError& one) {
      return one == error && one.message == error.message;
    });
    if (!is_known) kept.push_back(std::move(error));
  }
  list_ = std::move(kept);
}

std::vector<FieldError> Errors::take_sorted() && {
  sort_errors(list_);
  return std::move(list_);
}

void sort_errors(std::vector<FieldError>& errors) {
  // Not std::stable_sort: libstdc++ implements it with a function that C++17 deprecates. The index breaks
  // ties instead.
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(errors[a].field, errors[a].type, errors[a].message, a) <
           std::tie(errors[b].field, errors[b].type, errors[b].message, b);
  });
  std::vector<FieldError> sorted;
  sorted.reserve(errors.size());
  for (std::size_t place : order) sorted.push_back(std::move(errors[place]));
  errors = std::move(sorted);
}

void Errors::append(Errors&& others) {
  std::move(others.list_.begin(), others.list_.end(), std::back_inserter(list_));
}

void Errors::append_below(const Path& path, std::string_view root, Errors&& others) {
  for (FieldError& error : others.list_)
    if (error.field.starts_with(root)) error.field.replace(0, root.size(), path.text());
  append(std::move(others));
}

document::Error refusal_of(const std::string& kind, std::string_view name,
                           std::span<const FieldError> errors) {
  std::string text = kind + " \"" + std::string(name) + "\" is invalid: " + errors.front().field + ": " +
                     errors.front().message;
  if (errors.size() > 1) text += " (and " + std::to_string(errors.size() - 1) + " more)";
  return document::Error{std::move(text)};
}

bool is_one_of(std::string_view value, Choices choices) {
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

void check_choice(const document::Value& value, Choices choices, const Path& path, Errors& errors) {
  if (value.text().empty()) return errors.required(path);
  if (!is_one_of(value.text(), choices)) errors.not_supported(path, value.text(), choices);
}

}  // namespace fixpoint::apiserver::validation
