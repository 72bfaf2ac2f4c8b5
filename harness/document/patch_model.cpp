#include "harness/document/patch_model.h"

#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::document {

namespace {

struct Node;
/// No node is Go's nil: a null in a document.
using NodeOrNil = std::shared_ptr<Node>;

struct Node {
  enum class State { raw, object, list };
  State state = State::raw;
  bool has_text = false;  ///< a null that a patch added has none
  Value text{};           ///< the text that the node was read from
  std::map<std::string, NodeOrNil> object{};
  bool hollow = false;  ///< an object read from "null": putting something in crashes
  std::vector<NodeOrNil> list{};
};

struct Problem {
  PatchProblem::Kind kind;
};
[[noreturn]] void fail() { throw Problem{PatchProblem::Kind::apply}; }
[[noreturn]] void crash() { throw Problem{PatchProblem::Kind::panic}; }
void require(bool condition) {
  if (!condition) fail();
}

NodeOrNil raw_node(const Value& text) {
  auto node = std::make_shared<Node>();
  node->has_text = true;
  node->text = text;
  return node;
}
NodeOrNil child_node(const Value& text) { return text.is_null() ? nullptr : raw_node(text); }

bool into_object(Node& node) {
  if (node.state == Node::State::object) return true;
  if (!node.has_text || !(node.text.is_object() || node.text.is_null())) return false;
  for (const Member& member : node.text.members())
    node.object[std::string(member.key.text())] = child_node(member.value);
  node.hollow = node.text.is_null();
  node.state = Node::State::object;
  return true;
}

bool into_list(Node& node) {
  if (node.state == Node::State::list) return true;
  if (!node.has_text || !node.text.is_array()) return false;
  for (const Value& element : node.text.elements()) node.list.push_back(child_node(element));
  node.state = Node::State::list;
  return true;
}

Value marshal(const NodeOrNil& node) {
  if (node == nullptr || (node->state == Node::State::raw && !node->has_text)) return {};
  if (node->state == Node::State::raw) return *read_json(write_go_json(node->text), {}, Strictness::foreign);
  if (node->state == Node::State::object && node->hollow) return {};
  Value out = node->state == Node::State::list ? Value::empty_list() : Value::empty_object();
  for (const NodeOrNil& element : node->list) out.push_back(marshal(element));
  for (const auto& [key, member] : node->object) out.set(key, marshal(member));
  return out;
}

/// A scalar as it stands in the document.
std::string written(const Value& scalar) {
  return scalar.spelling().empty() ? write_go_json(scalar) : std::string(scalar.spelling());
}

bool equal(const NodeOrNil& a, const NodeOrNil& b) {
  if (a == nullptr || b == nullptr) crash();
  if (a->state == Node::State::raw && !into_object(*a) && !into_list(*a)) {
    if (b->state != Node::State::raw || a->has_text != b->has_text) return false;
    return !a->has_text || written(a->text) == written(b->text);
  }
  if (a->state == Node::State::object) {
    if (!into_object(*b) || a->object.size() != b->object.size()) return false;
    for (const auto& [key, member] : a->object) {
      const auto other = b->object.find(key);
      if (other == b->object.end() || (member == nullptr) != (other->second == nullptr)) return false;
      if (member != nullptr && !equal(member, other->second)) return false;
    }
    return true;
  }
  if (!into_list(*b) || a->list.size() != b->list.size()) return false;
  for (std::size_t i = 0; i < a->list.size(); ++i) {
    if (!equal(a->list[i], b->list[i])) return false;
  }
  return true;
}

/// strconv.Atoi.
long long index_of(std::string token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.erase(0, 1);
  long long index = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
  require(problem == std::errc() && end == token.data() + token.size());
  return index;
}

/// An index from the front, in a list of `size` places.
std::ptrdiff_t place_of(const std::string& token, std::size_t size) {
  const long long index = index_of(token), length = static_cast<long long>(size);
  require(index < length && index >= -length);
  return static_cast<std::ptrdiff_t>(index < 0 ? index + length : index);
}

NodeOrNil get(Node& container, const std::string& key) {
  if (container.state == Node::State::list) {
    return container.list[static_cast<std::size_t>(place_of(key, container.list.size()))];
  }
  const auto found = container.object.find(key);
  return found == container.object.end() ? nullptr : found->second;
}

void add(Node& container, const std::string& key, NodeOrNil value) {
  if (container.state == Node::State::object) {
    if (container.hollow) crash();
    container.object[key] = std::move(value);
    return;
  }
  auto& list = container.list;
  const auto place = key == "-" ? static_cast<std::ptrdiff_t>(list.size()) : place_of(key, list.size() + 1);
  list.insert(list.begin() + place, std::move(value));
}

void remove(Node& container, const std::string& key) {
  if (container.state == Node::State::object) return require(container.object.erase(key) == 1);
  container.list.erase(container.list.begin() + place_of(key, container.list.size()));
}

std::string unescaped(const std::string& token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token.compare(i, 2, "~1") == 0) {
      out += '/', ++i;
    } else if (token.compare(i, 2, "~0") == 0) {
      out += '~', ++i;
    } else {
      out += token[i];
    }
  }
  return out;
}

class PlainPatcher {
 public:
  PlainPatcher(const Value& document, const Limits& limits) : limits_(limits), root_(raw_node(document)) {
    require(document.is_array() ? into_list(*root_) : into_object(*root_));
  }

  void apply(const Value& operation) {
    const std::string op(operation["op"].text());
    if (op == "add") {
      auto [container, key] = find(text(operation, "path"));
      document::add(*container, key, value(operation));
    } else if (op == "remove") {
      auto [container, key] = find(text(operation, "path"));
      document::remove(*container, key);
    } else if (op == "replace") {
      replace(text(operation, "path"), value(operation));
    } else if (op == "move") {
      auto [source, name] = find(text(operation, "from"));
      NodeOrNil moved = get(*source, name);
      document::remove(*source, name);
      auto [container, key] = find(text(operation, "path"));
      document::add(*container, key, moved);
    } else if (op == "copy") {
      copy(text(operation, "from"), text(operation, "path"));
    } else {
      require(op == "test");
      test(text(operation, "path"), value(operation));
    }
  }
  Value result() const { return marshal(root_); }

 private:
  static std::string text(const Value& operation, const char* name) {
    require(operation[name].is_string());
    return std::string(operation[name].text());
  }
  static NodeOrNil value(const Value& operation) {
    const Value* given = operation.find("value");
    if (given == nullptr) return nullptr;
    return given->is_null() ? std::make_shared<Node>() : raw_node(*given);
  }

  std::pair<NodeOrNil, std::string> find(const std::string& path) {
    std::vector<std::string> tokens(1);
    for (const char c : path) c == '/' ? tokens.emplace_back() : tokens.back() += c;
    require(tokens.size() > 1);
    NodeOrNil at = root_;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      at = get(*at, unescaped(tokens[i]));
      require(at != nullptr && at->has_text);
      require(at->text.is_array() ? into_list(*at) : into_object(*at));
    }
    return {at, unescaped(tokens.back())};
  }

  void replace(const std::string& path, const NodeOrNil& value) {
    if (path.empty()) {
      if (value == nullptr) crash();
      require(into_object(*value) || into_list(*value));
      root_ = value;
      return;
    }
    auto [container, key] = find(path);
    get(*container, key);
    if (container->state == Node::State::list) {
      container->list[static_cast<std::size_t>(place_of(key, container->list.size()))] = value;
    } else {
      document::add(*container, key, value);
    }
  }

  void copy(const std::string& from, const std::string& path) {
    auto [source, name] = find(from);
    NodeOrNil copied = get(*source, name);
    auto [container, key] = find(path);
    if (copied != nullptr) {
      const Value encoded = marshal(copied);
      copied_bytes_ += write_go_json(encoded).size();
      copied = raw_node(encoded);
    }
    require(copied_bytes_ <= limits_.copy_bytes_max);
    document::add(*container, key, copied);
  }

  void test(const std::string& path, const NodeOrNil& value) {
    if (path.empty()) return require(equal(root_, value));
    auto [container, key] = find(path);
    NodeOrNil found = get(*container, key);
    if (found == nullptr) return require(value == nullptr || !value->has_text);
    require(value != nullptr && equal(found, value));
  }

  const Limits& limits_;
  NodeOrNil root_;
  std::size_t copied_bytes_ = 0;
};

}  // namespace

Patched apply_patch_plainly(const Value& document, const Value& patch, const Limits& limits) {
  if (auto problem = decoding_problem(patch, limits)) return {Value(), std::move(problem)};
  if (is_empty_patch(patch)) return {document, std::nullopt};
  try {
    PlainPatcher patcher(document, limits);
    for (const Value& operation : patch.elements()) patcher.apply(operation);
    return {patcher.result(), std::nullopt};
  } catch (const Problem& problem) {
    return {Value(), PatchProblem{problem.kind, "the reference model refuses it", 0}};
  }
}

bool same_outcome(const Patched& a, const Patched& b) {
  if (a.ok() != b.ok()) return false;
  if (a.ok()) return sorted(a.document) == sorted(b.document);
  const auto kind = [](const Patched& each) {
    const auto found = each.problem->kind;
    return found == PatchProblem::Kind::panic ? PatchProblem::Kind::apply : found;
  };
  return kind(a) == kind(b);
}

}  // namespace fixpoint::document
