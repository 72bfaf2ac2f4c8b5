#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A second implementation of the order, the passes, the matching and the failures of the API server's
/// mutating admission, written for correctness instead of speed: documents are nlohmann's, and everything
/// between two steps is text. It shares no header with the simulator, so that neither can repeat a mistake of
/// the other. It gets the steps, which work on one object, as values.
namespace fixpoint::oracle {

using Json = nlohmann::json;

/// Thrown for a text that nlohmann's documents cannot represent: duplicate members of an object, half a
/// surrogate pair, -0.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Thrown for a document that the API server's decoder rejects.
struct Undecodable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads JSON. A number that is not a 64-bit integer keeps its text, as a binary value, since quantities
/// depend on it.
Json read(std::string_view text);
/// Writes JSON on one line, with members sorted bytewise.
std::string write(const Json& value);

/// Returns a member, or null if there is none or if `object` is no object.
const Json& at(const Json& object, std::string_view member);
/// Returns the value that at() finds along several members.
const Json& in(const Json& object, std::initializer_list<std::string_view> members);
/// Returns a string member, or "".
std::string text_at(const Json& object, std::string_view member);
/// Returns the elements of a list; no elements for any other value.
const std::vector<Json>& each(const Json& list);
/// Returns true if the value is neither null nor an empty list, object or string.
bool is_given(const Json& value);

}  // namespace fixpoint::oracle
