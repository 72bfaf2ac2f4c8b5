#include "harness/oracle/oracle_patch.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fixpoint::oracle {

namespace {

using Kind = PatchRefused::Kind;

constexpr int kLastMinorOfOldLibrary = 34;
constexpr std::size_t kCopyBytesMax = 3 << 20;

[[noreturn]] void refuse(const char* why) { throw PatchRefused(Kind::apply, why); }
[[noreturn]] void fail_test() { throw PatchRefused(Kind::test, "the test fails"); }
[[noreturn]] void panic() { throw PatchRefused(Kind::panic, "the server panics"); }

struct Node;
using NodePointer = std::shared_ptr<Node>;

/// A value that is parsed only when an operation reaches it, as in the Go library. A null pointer is a null
/// of the document; a node without `json` is a null of the patch.
struct Node {
  enum class Form { unread, object, list } form = Form::unread;
  bool has_json = false;
  bool from_server = false;  ///< written by the server, with `<`, `>` and `&` escaped
  Json json = {};
  bool is_nil_map = false;
  std::map<std::string, NodePointer> members = {};
  std::vector<NodePointer> elements = {};
};

NodePointer node_of(const Json& json, bool from_server) {
  auto node = std::make_shared<Node>();
  node->has_json = true;
  node->json = json;
  node->from_server = from_server;
  return node;
}

NodePointer child_of(const Json& json, bool from_server) {
  return json.is_null() ? nullptr : node_of(json, from_server);
}

bool open_object(Node& node) {
  if (node.form == Node::Form::object) return true;
  if (!node.has_json || !(node.json.is_object() || node.json.is_null())) return false;
  node.form = Node::Form::object;
  node.is_nil_map = node.json.is_null();
  for (const auto& [key, value] : node.json.items()) node.members[key] = child_of(value, node.from_server);
  return true;
}

bool open_list(Node& node) {
  if (node.form == Node::Form::list) return true;
  if (!node.has_json || !node.json.is_array()) return false;
  node.form = Node::Form::list;
  for (const Json& value : node.json) node.elements.push_back(child_of(value, node.from_server));
  return true;
}

Json json_of(const NodePointer& node) {
  if (node == nullptr) return nullptr;
  if (node->form == Node::Form::unread) return node->has_json ? node->json : Json();
  if (node->form == Node::Form::list) {
    Json list = Json::array();
    for (const NodePointer& element : node->elements) list.push_back(json_of(element));
    return list;
  }
  if (node->is_nil_map) return nullptr;
  Json object = Json::object();
  for (const auto& [key, member] : node->members) object[key] = json_of(member);
  return object;
}

/// Returns the number of bytes that the server's escapes add to a text.
std::size_t escapes_in(const std::string& text) {
  std::size_t added = 0;
  for (const char c : text) added += c == '<' || c == '>' || c == '&' ? 5 : 0;
  for (const char* separator : {"\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    for (auto at = text.find(separator); at != std::string::npos; at = text.find(separator, at + 1))
      added += 3;
  }
  return added;
}

bool is_same_scalar(const Node& a, const Node& b) {
  if (a.has_json != b.has_json) return false;
  if (!a.has_json) return true;
  if (a.json.is_string() && a.from_server != b.from_server && escapes_in(a.json.get<std::string>()) > 0)
    return false;
  if (!number_text(a.json).empty()) return number_text(a.json) == number_text(b.json);
  return a.json == b.json;
}

bool is_same(const NodePointer& a, const NodePointer& b) {
  if (a == nullptr || b == nullptr) panic();
  if (a->form == Node::Form::unread && !open_object(*a) && !open_list(*a))
    return b->form == Node::Form::unread && is_same_scalar(*a, *b);
  if (a->form == Node::Form::object) {
    if (!open_object(*b) || a->members.size() != b->members.size()) return false;
    for (const auto& [key, member] : a->members) {
      const auto other = b->members.find(key);
      if (other == b->members.end()) return false;
      if (member == nullptr && other->second == nullptr) continue;
      if (member == nullptr || other->second == nullptr || !is_same(member, other->second)) return false;
    }
    return true;
  }
  if (!open_list(*b) || a->elements.size() != b->elements.size()) return false;
  for (std::size_t i = 0; i < a->elements.size(); ++i) {
    if (!is_same(a->elements[i], b->elements[i])) return false;
  }
  return true;
}

/// Parses an index with strconv.Atoi; a negative one counts from the end of a list of `size` elements.
std::size_t index_of(const std::string& token, std::size_t size) {
  const std::size_t first = !token.empty() && (token[0] == '-' || token[0] == '+') ? 1 : 0;
  if (token.size() == first || token.find_first_not_of("0123456789", first) != std::string::npos)
    refuse("no index");
  const std::string digits = token.substr(std::min(token.find_first_not_of('0', first), token.size() - 1));
  if (digits.size() > 9) refuse("the index is out of range");
  const long length = static_cast<long>(size);
  const long index = (token[0] == '-' ? -1 : 1) * std::stol(digits);
  if (index >= length || index < -length) refuse("the index is out of range");
  return static_cast<std::size_t>(index < 0 ? index + length : index);
}

NodePointer get(const Node& from, const std::string& key) {
  if (from.form == Node::Form::list) return from.elements[index_of(key, from.elements.size())];
  const auto found = from.members.find(key);
  return found == from.members.end() ? nullptr : found->second;
}

void put(Node& into, const std::string& key, NodePointer value) {
  if (into.form == Node::Form::object) {
    if (into.is_nil_map) panic();
    into.members[key] = std::move(value);
    return;
  }
  const std::size_t place = key == "-" ? into.elements.size() : index_of(key, into.elements.size() + 1);
  into.elements.insert(into.elements.begin() + static_cast<std::ptrdiff_t>(place), std::move(value));
}

void take(Node& from, const std::string& key) {
  if (from.form == Node::Form::object) {
    if (from.members.erase(key) == 0) refuse("there is no such member to remove");
    return;
  }
  from.elements.erase(from.elements.begin() +
                      static_cast<std::ptrdiff_t>(index_of(key, from.elements.size())));
}

std::string unescaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape =
        token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    text += !is_escape ? token[i] : token[++i] == '1' ? '/' : '~';
  }
  return text;
}

struct Place {
  NodePointer container;
  std::string key;
};

class Patching {
 public:
  Patching(const Json& document, int minor, bool from_server, bool of_policy)
      : is_old_(minor <= kLastMinorOfOldLibrary),
        of_policy_(of_policy),
        root_(node_of(document, from_server)) {
    if (!open_list(*root_) && !open_object(*root_)) refuse("the document is a scalar");
  }

  void apply(const Json& operation) {
    const std::string op = text_at(operation, "op");
    if (op == "add") return add(operation);
    if (op == "remove") return remove(operation);
    if (op == "replace") return replace(operation);
    if (op == "move") return move(operation);
    if (op == "copy") return copy(operation);
    if (op == "test") return test(operation);
    refuse("an unknown operation");
  }
  Json result() const { return json_of(root_); }

 private:
  static std::string pointer(const Json& operation, const char* name) {
    if (!at(operation, name).is_string()) refuse("a pointer is missing");
    return text_at(operation, name);
  }
  NodePointer value_of(const Json& operation) const {
    if (!operation.contains("value")) return nullptr;
    if (operation["value"].is_null() && !of_policy_) return std::make_shared<Node>();
    return node_of(operation["value"], of_policy_);
  }

  Place find(const std::string& path) const {
    std::vector<std::string> tokens(1);
    for (const char c : path) {
      if (c == '/') tokens.emplace_back();
      if (c != '/') tokens.back() += c;
    }
    if (tokens.size() < 2) refuse("a pointer without a slash");
    NodePointer place = root_;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      place = get(*place, unescaped(tokens[i]));
      if (is_old_ && place != nullptr && !place->has_json) panic();
      if (place == nullptr || !place->has_json) refuse("the path leads nowhere");
      if (!(place->json.is_array() ? open_list(*place) : open_object(*place))) refuse("no container");
    }
    return {place, unescaped(tokens.back())};
  }

  void add(const Json& operation) {
    const Place place = find(pointer(operation, "path"));
    put(*place.container, place.key, value_of(operation));
  }

  void remove(const Json& operation) {
    const Place place = find(pointer(operation, "path"));
    take(*place.container, place.key);
  }

  void replace(const Json& operation) {
    const std::string path = pointer(operation, "path");
    const NodePointer value = value_of(operation);
    if (path.empty()) return replace_root(value);
    const Place place = find(path);
    if (place.container->form == Node::Form::object) return put(*place.container, place.key, value);
    place.container->elements[index_of(place.key, place.container->elements.size())] = value;
  }

  void replace_root(const NodePointer& value) {
    if (value == nullptr) panic();
    if (open_object(*value) || open_list(*value)) {
      root_ = value;
    } else if (!is_old_) {
      refuse("the root becomes a scalar");
    }
  }

  void move(const Json& operation) {
    const Place from = find(pointer(operation, "from"));
    const NodePointer value = get(*from.container, from.key);
    take(*from.container, from.key);
    const Place to = find(pointer(operation, "path"));
    put(*to.container, to.key, value);
  }

  void copy(const Json& operation) {
    const Place from = find(pointer(operation, "from"));
    const NodePointer value = get(*from.container, from.key);
    const Place to = find(pointer(operation, "path"));
    if (value == nullptr) return put(*to.container, to.key, nullptr);
    const Json json = json_of(value);
    const std::string written = write(json);
    copied_ += written.size() + escapes_in(written);
    if (copied_ > kCopyBytesMax) refuse("copies grow too large");
    put(*to.container, to.key, node_of(json, true));
  }

  void test(const Json& operation) {
    const std::string path = pointer(operation, "path");
    const NodePointer value = value_of(operation);
    if (path.empty()) {
      if (!is_same(root_, value)) fail_test();
      return;
    }
    const Place place = find(path);
    const NodePointer found = get(*place.container, place.key);
    if (found == nullptr) {
      if (is_old_ && value == nullptr) panic();
      if (value == nullptr || !value->has_json) return;
      fail_test();
    }
    if (value == nullptr) fail_test();
    if (!is_same(found, value)) fail_test();
  }

  bool is_old_, of_policy_;
  NodePointer root_;
  std::size_t copied_ = 0;
};

}  // namespace

Json read_patch(const std::string& bytes) {
  if (!Json::accept(bytes)) throw PatchRefused(Kind::syntax, "no JSON");
  Json patch = read(bytes);
  if (!patch.is_array() && !patch.is_null()) throw PatchRefused(Kind::syntax, "no list");
  for (const Json& operation : each(patch)) {
    if (!operation.is_object() && !operation.is_null()) throw PatchRefused(Kind::syntax, "no operation");
    const bool spells = bytes.find("\\u") != std::string::npos || bytes.find("\\/") != std::string::npos;
    if (spells && text_at(operation, "op") == "test") throw Unsupported("a test of texts with escapes");
  }
  return patch;
}

Json apply_patch(const Json& document, const Json& patch, int minor, bool from_server, bool of_policy) {
  Patching patching(document, minor, from_server, of_policy);
  for (const Json& operation : each(patch)) patching.apply(operation);
  return patching.result();
}

}  // namespace fixpoint::oracle
