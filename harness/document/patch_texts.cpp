#include "harness/document/patch_texts.h"

#include <array>
#include <charconv>

namespace fixpoint::document {

namespace {

constexpr std::array<VerbTexts, 6> kTexts{{
    {.no_path = Text("add operation failed to decode path: missing value"),
     .no_parent = Text("add operation does not apply: doc is missing path: \"{}\": missing value"),
     .no_child = Text("error in add for path: '{}': {}")},
    {.no_path = Text("remove operation failed to decode path: missing value"),
     .no_parent = Text("remove operation does not apply: doc is missing path: \"{}\": missing value"),
     .no_child = Text("error in remove for path: '{}': {}")},
    {.no_path = Text("replace operation failed to decode path: {}"),
     .no_parent = Text("replace operation does not apply: doc is missing path: {}: missing value"),
     .no_child = Text("replace operation does not apply: doc is missing key: {}: missing value")},
    {.no_path = Text("move operation failed to decode path: {}"),
     .no_parent = Text("move operation does not apply: doc is missing destination path: {}: missing value"),
     .no_child = Text("error in move for path: '{}': {}"),
     .no_from = Text("move operation failed to decode from: {}"),
     .no_source_parent = Text("move operation does not apply: doc is missing from path: {}: missing value"),
     .no_source = Text("error in move for path: '{}': {}")},
    {.no_path = Text("copy operation failed to decode path: missing value"),
     .no_parent = Text("copy operation does not apply: doc is missing destination path: {}: missing value"),
     .no_child = Text("error while adding value during copy: {}"),
     .no_from = Text("copy operation failed to decode from: {}"),
     .no_source_parent = Text("copy operation does not apply: doc is missing from path: {}: missing value"),
     .no_source = Text("error in copy for from: '{}': {}")},
    {.no_path = Text("test operation failed to decode path: {}"),
     .no_parent = Text("test operation does not apply: is missing path: {}: missing value"),
     .no_child = Text("error in test for path: '{}': {}")},
}};

}  // namespace

const VerbTexts& texts_of(Verb verb) { return kTexts.at(static_cast<std::size_t>(verb)); }

std::optional<std::int64_t> read_index(std::string_view token) {
  if (token.starts_with("+-")) return std::nullopt;
  if (token.starts_with('+')) token.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (problem != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return index;
}

std::string index_problem(std::string_view token) {
  if (const auto index = read_index(token)) {
    return Text("Unable to access invalid index: {}: invalid index referenced")
        .with({std::to_string(*index)});
  }
  const bool is_signed = token.starts_with('+') || token.starts_with('-');
  const std::string_view digits = token.substr(is_signed ? 1 : 0);
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  const Text text = is_number ? Text("strconv.Atoi: parsing {}: value out of range")
                              : Text("strconv.Atoi: parsing {}: invalid syntax");
  return text.with({go_quoted(token)});
}

std::string added_index_problem(std::string_view token) {
  if (read_index(token)) return index_problem(token);
  return Text("value was not a proper array index: '{}': {}").with({token, index_problem(token)});
}

std::string no_string(const Value& member, Text missing) {
  if (member.is_null()) return std::string(missing.words());
  return Text("json: cannot unmarshal {} into Go value of type string").with({go_kind(member)});
}

}  // namespace fixpoint::document
