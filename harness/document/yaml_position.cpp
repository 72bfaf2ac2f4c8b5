#include <yaml-cpp/yaml.h>

#include <vector>

#include "harness/document/pointer.h"
#include "harness/document/yaml.h"

namespace fixpoint::document {

namespace {

TextPosition position_at(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

/// Descends one level; returns false if there is no such member or element.
bool step(YAML::Node& node, const std::string& token, TextPosition& position) {
  if (node.IsMap()) {
    for (const auto& member : node) {
      if (!member.first.IsScalar() || member.first.Scalar() != token) continue;
      position = position_at(member.first.Mark());
      const YAML::Node next = member.second;
      node.reset(next);
      return true;
    }
    return false;
  }
  if (!node.IsSequence() || token.empty() || token.find_first_not_of("0123456789") != std::string::npos)
    return false;
  std::size_t index = 0;
  for (const auto& element : node) {
    if (std::to_string(index++) != token) continue;
    position = position_at(element.Mark());
    const YAML::Node next = element;
    node.reset(next);
    return true;
  }
  return false;
}

}  // namespace

std::optional<TextPosition> position_of(const std::string& text, std::string_view pointer,
                                        std::size_t number) {
  const auto tokens = parse_pointer(pointer == "/" ? "" : pointer);
  if (!tokens) return std::nullopt;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (number >= documents.size()) return std::nullopt;
    YAML::Node node = documents[number];
    TextPosition position = position_at(node.Mark());
    for (const std::string& token : *tokens)
      if (!step(node, token, position)) break;
    return position;
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
}

}  // namespace fixpoint::document
