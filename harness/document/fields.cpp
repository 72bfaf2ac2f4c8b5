#include "harness/document/fields.h"

#include <algorithm>
#include <limits>

#include "harness/document/pointer.h"

namespace fixpoint::document {

namespace {

std::string_view kind_name(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a boolean";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return "something else";
}

std::string expected_but(std::string_view expected, const Value& found) {
  return "expected " + std::string(expected) + ", found " + std::string(kind_name(found));
}

}  // namespace

Fields::Fields(const Value& object, std::string pointer, std::optional<Error>& problem)
    : object_(object), pointer_(std::move(pointer)), problem_(problem) {
  if (failed()) return;
  if (!object_.is_object()) fail_here(expected_but("an object", object_));
  const auto members = object_.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].key == members[j].key) fail(members[i].key.name(), "the member stands here twice");
    }
  }
}

std::string Fields::pointer_to(std::string_view name) const { return pointer_ + "/" + escape_token(name); }

void Fields::fail(const Name& name, std::string expected) {
  if (!failed()) problem_ = Error{std::move(expected), pointer_to(name.text)};
}
void Fields::fail_here(std::string expected) {
  if (!failed()) problem_ = Error{std::move(expected), pointer_.empty() ? "/" : pointer_};
}

const Value* Fields::take(const Name& name) {
  known_.push_back(name.text);
  if (failed()) return nullptr;
  const Value* found = object_.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

bool Fields::has(const Name& name) { return take(name) != nullptr; }

const Value& Fields::get(const Name& name) {
  take(name);
  return object_[name];
}

void Fields::optional(const Name& name, std::string& into) {
  const Value* found = take(name);
  if (found == nullptr) return;
  if (!found->is_string()) return fail(name, expected_but("a string", *found));
  into = found->text();
}

void Fields::optional(const Name& name, bool& into) {
  const Value* found = take(name);
  if (found == nullptr) return;
  if (!found->is_boolean()) return fail(name, expected_but("true or false", *found));
  into = found->is_true();
}

void Fields::optional(const Name& name, std::int64_t& into) {
  const Value* found = take(name);
  if (found == nullptr) return;
  const auto number = found->integer();
  if (!number)
    return fail(name, found->is_number() ? "expected a whole number" : expected_but("a number", *found));
  into = *number;
}

void Fields::optional(const Name& name, int& into) {
  std::int64_t number = into;
  optional(name, number);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    return fail(name, "expected a number of 32 bits");
  }
  into = static_cast<int>(number);
}

void Fields::optional(const Name& name, std::vector<std::string>& into) {
  if (!has(name)) return;
  into.clear();
  list(name, [&](const Value& element, const std::string& pointer) {
    if (!element.is_string() && !failed()) problem_ = Error{expected_but("a string", element), pointer};
    into.emplace_back(element.text());
  });
}

void Fields::optional(const Name& name, Value& into) {
  if (const Value* found = take(name)) into = *found;
}

void Fields::required(const Name& name, std::string& into) {
  if (!has(name)) return fail(name, "expected a string, found nothing");
  optional(name, into);
}

void Fields::optional_above_0(const Name& name, double& into) {
  const Value* found = take(name);
  if (found == nullptr) return;
  const auto number = found->real();
  if (!number || *number <= 0) return fail(name, "expected a number above 0");
  into = *number;
}

void Fields::required_above_0(const Name& name, double& into) {
  if (!has(name)) return fail(name, "expected a number above 0, found nothing");
  optional_above_0(name, into);
}

void Fields::required(const Name& name, Value& into) {
  if (!has(name)) return fail(name, "expected a value, found nothing");
  optional(name, into);
}

void Fields::choice(const Name& name, std::string& into, const std::vector<std::string_view>& words) {
  if (!has(name)) return;
  optional(name, into);
  if (failed() || std::find(words.begin(), words.end(), into) != words.end()) return;
  std::string expected = "expected one of";
  for (std::string_view word : words)
    expected.append(word == words.front() ? " \"" : ", \"").append(word).append("\"");
  fail(name, expected + ", found \"" + into + "\"" + did_you_mean_suffix(into, words));
}

void Fields::object(const Name& name, const std::function<void(Fields&)>& read) {
  const Value* found = take(name);
  if (found == nullptr) return;
  Fields inner(*found, pointer_to(name.text), problem_);
  if (!failed()) read(inner);
}

void Fields::list(const Name& name, const std::function<void(const Value&, const std::string&)>& read) {
  const Value* found = take(name);
  if (found == nullptr) return;
  if (!found->is_array()) return fail(name, expected_but("a list", *found));
  for (std::size_t i = 0; i < found->size() && !failed(); ++i) {
    read(found->at(i), pointer_to(name.text) + "/" + std::to_string(i));
  }
}

void Fields::map(const Name& name,
                 const std::function<void(const std::string&, const Value&, const std::string&)>& read) {
  object(name, [&](Fields& inner) {
    for (const Member& member : inner.object_.members()) {
      if (failed()) return;
      read(std::string(member.key.text()), member.value, inner.pointer_to(member.key.text()));
    }
  });
}

void Fields::finish() {
  if (failed()) return;
  auto all = unknown();
  if (!all.empty()) problem_ = std::move(all.front());
}

std::vector<Error> Fields::unknown() const {
  std::vector<Error> errors;
  for (const Member& member : object_.members()) {
    const std::string_view name = member.key.text();
    if (std::find(known_.begin(), known_.end(), name) == known_.end())
      errors.push_back({"unknown field" + did_you_mean_suffix(name, known_), pointer_to(name)});
  }
  return errors;
}

std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string_view>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t changed = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = std::string(candidate);
    }
  }
  return best;
}

std::string did_you_mean_suffix(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto meant = did_you_mean(word, candidates);
  return meant ? " (did you mean \"" + *meant + "\"?)" : "";
}

}  // namespace fixpoint::document
