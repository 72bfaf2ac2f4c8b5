#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The API server's mutating admission once more, written for being right instead of fast: documents are
/// nlohmann's, everything between webhooks is text, every step starts from nothing. It shares no header with
/// the simulator, so that a slip in a table or a shortcut of the one is none of the other.
namespace fixpoint::oracle {

using Json = nlohmann::json;

/// The text holds what nlohmann's documents cannot: members twice in one object, half a surrogate pair, -0.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The API server's decoder refuses the document.
struct Undecodable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads JSON. A number that is no 64-bit integer keeps its text, as binary value: quantities count by it.
Json read(std::string_view text);
/// On one line, members sorted bytewise.
std::string write(const Json& value);

/// The text of a number as it stands in JSON; empty for everything else.
std::string number_text(const Json& value);
/// A member, or null when there is none or this is no object.
const Json& at(const Json& object, std::string_view member);
/// at() along several members.
const Json& in(const Json& object, std::initializer_list<std::string_view> members);
/// A string member, or "".
std::string text_at(const Json& object, std::string_view member);
/// The elements of a list; none of anything else.
const std::vector<Json>& each(const Json& list);
/// Neither null nor an empty list, object or string.
bool is_given(const Json& value);

}  // namespace fixpoint::oracle
