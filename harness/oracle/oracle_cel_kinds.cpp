#include "harness/oracle/oracle_cel_kinds.h"

#include <algorithm>
#include <set>
#include <vector>

namespace fixpoint::oracle {

namespace {

using Is = CelNode::Is;

/// The fields of what Kubernetes declares (apiserver/pkg/admission/plugin/cel/compile.go BuildRequestType,
/// BuildNamespaceType). Of a Namespace only those that are no `dyn`.
const CelKinds& fields() {
  static const CelKinds all{{"request.kind", "gvk"},
                            {"request.resource", "gvr"},
                            {"request.subResource", "string"},
                            {"request.requestKind", "gvk"},
                            {"request.requestResource", "gvr"},
                            {"request.requestSubResource", "string"},
                            {"request.name", "string"},
                            {"request.namespace", "string"},
                            {"request.operation", "string"},
                            {"request.userInfo", "user"},
                            {"request.dryRun", "bool"},
                            {"request.options", "dyn"},
                            {"authorizer.requestResource", "?"},
                            {"gvk.group", "string"},
                            {"gvk.version", "string"},
                            {"gvk.kind", "string"},
                            {"gvr.group", "string"},
                            {"gvr.version", "string"},
                            {"gvr.resource", "string"},
                            {"user.username", "string"},
                            {"user.uid", "string"},
                            {"user.groups", "list(string)"},
                            {"user.extra", "map(list(string))"},
                            {"namespace.metadata", "namespaceMeta"},
                            {"namespace.spec", "dyn"},
                            {"namespace.status", "dyn"},
                            {"namespaceMeta.name", "string"},
                            {"namespaceMeta.labels", "map(string)"},
                            {"namespaceMeta.annotations", "map(string)"},
                            {"JSONPatch.op", "string"},
                            {"JSONPatch.path", "string"},
                            {"JSONPatch.from", "string"},
                            {"JSONPatch.value", "dyn"}};
  return all;
}

/// The kinds of what functions return, whatever they are called with.
const CelKinds& results() {
  static const CelKinds all{{"startsWith", "bool"},
                            {"endsWith", "bool"},
                            {"contains", "bool"},
                            {"matches", "bool"},
                            {"allowed", "bool"},
                            {"errored", "bool"},
                            {"reason", "string"},
                            {"error", "string"},
                            {"hasValue", "bool"},
                            {"isSorted", "bool"},
                            {"isQuantity", "bool"},
                            {"isGreaterThan", "bool"},
                            {"isLessThan", "bool"},
                            {"isInteger", "bool"},
                            {"all", "bool"},
                            {"exists", "bool"},
                            {"exists_one", "bool"},
                            {"existsOne", "bool"},
                            {"has", "bool"},
                            {"bool", "bool"},
                            {"in", "bool"},
                            {"<", "bool"},
                            {"<=", "bool"},
                            {">", "bool"},
                            {">=", "bool"},
                            {"string", "string"},
                            {"lowerAscii", "string"},
                            {"upperAscii", "string"},
                            {"replace", "string"},
                            {"substring", "string"},
                            {"trim", "string"},
                            {"join", "string"},
                            {"charAt", "string"},
                            {"escapeKey", "string"},
                            {"format", "string"},
                            {"int", "int"},
                            {"size", "int"},
                            {"indexOf", "?"},
                            {"uint", "uint"},
                            {"double", "double"},
                            {"bytes", "bytes"},
                            {"quantity", "quantity"},
                            {"dyn", "dyn"},
                            {"type", "type"},
                            {"timestamp", "timestamp"},
                            {"duration", "duration"},
                            {"split", "list(string)"}};
  return all;
}

/// T of `name(T)`, or "".
std::string within(const std::string& kind, const std::string& name) {
  if (!kind.starts_with(name + "(")) return "";
  return kind.substr(name.size() + 1, kind.size() - name.size() - 2);
}

/// Numbers, texts, lists and maps are never null.
bool may_be_null(const std::string& kind) {
  static const std::set<std::string> never{"bool", "int", "uint", "double", "string", "bytes"};
  return !never.contains(kind) && !kind.starts_with("list(") && !kind.starts_with("map(");
}

/// The kind of two things that must be of one type.
std::string together(const std::string& a, const std::string& b) {
  if (a == "?" || b == "?") return a == "?" ? b : a;
  if (a == "dyn" || b == "dyn") return "dyn";
  if (a == "null" && may_be_null(b)) return b;
  if (b == "null" && may_be_null(a)) return a;
  for (const char* name : {"list", "map", "optional"}) {
    const std::string inner = within(a, name), other = within(b, name);
    if (!inner.empty() && !other.empty()) return std::string(name) + "(" + together(inner, other) + ")";
  }
  if (a != b) throw CelFailed("types that do not go together");
  return a;
}

class Kinds {
 public:
  explicit Kinds(const CelKinds& names) : names_(names) {}

  std::string of(const CelNode& node) {
    switch (node.is) {
      case Is::literal:
        return literal(node.value);
      case Is::name:
        return named(node.text);
      case Is::select:
        return selected(node);
      case Is::index:
        return indexed(node);
      case Is::list:
        return "list(" + all_of(node.parts, 0, 1) + ")";
      case Is::map:
        all_of(node.parts, 0, 2);
        return "map(" + all_of(node.parts, 1, 2) + ")";
      case Is::object:
        return object(node);
      case Is::call:
        return call(node);
    }
    return "?";
  }

 private:
  static std::string literal(const CelValue& value) {
    return value.is == CelValue::Is::null ? "null" : cel_type_name(value);
  }

  std::string named(const std::string& name) const {
    for (const char* other : {"format", "ip", "cidr"})
      if (name == other) throw Unsupported(name);
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    for (const char* type :
         {"int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type"})
      if (name == type) return "type";
    throw CelFailed("undeclared reference to " + name);
  }

  static std::string field_of(const std::string& kind, const std::string& field) {
    if (kind == "dyn" || kind == "?") return kind;
    if (const std::string values = within(kind, "map"); !values.empty()) return values;
    if (const std::string held = within(kind, "optional"); !held.empty())
      return "optional(" + field_of(held, field) + ")";
    if (const auto found = fields().find(kind + "." + field); found != fields().end()) return found->second;
    if (kind == "namespaceMeta" || kind.starts_with("Object")) return "dyn";
    throw CelFailed("a field of " + kind);
  }

  static std::string optional(const std::string& kind) {
    return kind.starts_with("optional(") ? kind : "optional(" + kind + ")";
  }

  std::string selected(const CelNode& node) {
    const CelNode& from = node.parts[0];
    if (from.is == Is::name && from.text == "variables" && !names_.contains("variables")) {
      const auto found = names_.find("variables." + node.text);
      if (found == names_.end()) throw CelFailed("undeclared variable " + node.text);
      return found->second;
    }
    if (from.is == Is::select && from.text == "protobuf") return "type";
    const std::string kind = field_of(of(from), node.text);
    return node.is_optional ? optional(kind) : kind;
  }

  std::string indexed(const CelNode& node) {
    const std::string kind = of(node.parts[0]);
    const std::string key = of(node.parts[1]);
    // The maps that are declared have strings for keys.
    const bool is_declared = node.parts[0].is == Is::select && kind.starts_with("map(");
    if (is_declared && key != "string" && key != "dyn" && key != "?")
      throw CelFailed("a key that is no string");
    const std::string element = element_of(kind);
    return node.is_optional ? optional(element) : element;
  }

  static std::string element_of(const std::string& kind) {
    if (kind == "dyn" || kind == "?") return kind;
    for (const char* name : {"list", "map"})
      if (const std::string inner = within(kind, name); !inner.empty()) return inner;
    if (const std::string held = within(kind, "optional"); !held.empty())
      return "optional(" + element_of(held) + ")";
    throw CelFailed("an element of " + kind);
  }

  /// The kind of every `step`th part from `first` on.
  std::string all_of(const std::vector<CelNode>& parts, std::size_t first, std::size_t step) {
    std::string kind = "?";
    for (std::size_t i = first; i < parts.size(); i += step) {
      const std::string one = element(parts[i]);
      // A literal of elements of one type; unlike elsewhere, `dyn` goes with nothing else.
      if ((kind == "dyn") != (one == "dyn") && kind != "?" && one != "?") throw CelFailed("a mixed literal");
      kind = together(kind, one);
    }
    return kind;
  }

  std::string element(const CelNode& node) {
    if (node.is != Is::call || node.text != "?element") return of(node);
    const std::string kind = of(node.parts[0]), held = within(kind, "optional");
    if (held.empty() && kind != "dyn" && kind != "?") throw CelFailed("no optional after ?");
    return held.empty() ? kind : held;
  }

  std::string object(const CelNode& node) {
    const bool is_patch = node.text == "JSONPatch";
    if (!is_patch && node.text != "Object" && !node.text.starts_with("Object."))
      throw CelFailed("undeclared type " + node.text);
    if (!names_.contains("Object{}")) throw CelFailed("types of mutations in another expression");
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const std::string kind = element(node.parts[i]);
      if (is_patch) together(kind, field_of("JSONPatch", node.fields[i]));
    }
    return node.text;
  }

  std::string condition(const CelNode& node) {
    const std::string kind = of(node);
    if (kind != "bool" && kind != "dyn" && kind != "?") throw CelFailed("no condition");
    return "bool";
  }

  std::string call(const CelNode& node) {
    const auto& parts = node.parts;
    const std::string& name = node.text;
    if (name == "()") return of(parts[0]);
    if (name == "?:") {
      condition(parts[0]);
      return together(of(parts[1]), of(parts[2]));
    }
    if (name == "&&" || name == "||" || name == "!") {
      for (const CelNode& part : parts) condition(part);
      return "bool";
    }
    if (name == "==" || name == "!=") {
      together(of(parts[0]), of(parts[1]));
      return "bool";
    }
    if (parts.size() == 2 && !node.has_target &&
        std::string_view("+-*/%").find(name) != std::string_view::npos)
      return computed(of(parts[0]), of(parts[1]));
    if (node.has_target && parts.size() > 2 && parts[1].is == Is::name && !is_namespace(parts[0]))
      if (const std::string kind = macro(node); !kind.empty()) return kind;
    return plain_call(node);
  }

  bool is_namespace(const CelNode& node) const {
    static const std::set<std::string> all{"optional", "jsonpatch", "math",  "sets", "strings",
                                           "base64",   "lists",     "regex", "ip",   "cidr"};
    return node.is == Is::name && all.contains(node.text) && !names_.contains(node.text);
  }

  static std::string computed(const std::string& a, const std::string& b) {
    const auto is_time = [](const std::string& kind) { return kind == "timestamp" || kind == "duration"; };
    if (is_time(a) || is_time(b)) return "?";
    if (a == b) return a;
    if (a == "dyn" || b == "dyn") return a == "dyn" ? b : a;
    return together(a, b);
  }

  std::string macro(const CelNode& node) {
    static const std::set<std::string> known{"all",    "exists", "exists_one",        "existsOne",
                                             "map",    "filter", "transformList",     "transformMap",
                                             "optMap", "sortBy", "transformMapEntry", "optFlatMap"};
    if (!known.contains(node.text)) return "";
    const std::string range = of(node.parts[0]);
    const bool is_list = range.starts_with("list("), is_map = range.starts_with("map(");
    const bool has_two = node.text.starts_with("transform") || (node.text != "map" && node.parts.size() == 4);
    const CelKinds outer = names_;
    if (node.text.starts_with("opt")) {
      names_[node.parts[1].text] = range == "dyn" || range == "?" ? range : within(range, "optional");
    } else {
      const std::string one = is_list || is_map ? element_of(range) : range;
      names_[node.parts[1].text] = has_two ? (is_list ? "int" : "?") : is_map ? "?" : one;
      if (has_two) names_[node.parts[2].text] = one;
    }
    std::string body;
    for (std::size_t i = has_two ? 3 : 2; i < node.parts.size(); ++i) body = of(node.parts[i]);
    names_ = outer;
    if (node.text == "map" || node.text == "transformList") return "list(" + body + ")";
    if (node.text == "filter") return is_list ? range : is_map ? "list(?)" : "list(" + range + ")";
    if (node.text == "optMap") return "optional(" + body + ")";
    if (node.text == "optFlatMap") return body;
    if (node.text == "sortBy") return range;
    if (node.text.starts_with("transform")) return "map(?)";
    return "bool";
  }

  std::string plain_call(const CelNode& node) {
    const auto& parts = node.parts;
    const std::string& name = node.text;
    if (name == "repeat") throw CelFailed("undeclared reference to repeat");
    if (name == "format") throw Unsupported("the function format of texts");
    if (node.has_target && is_namespace(parts[0])) {
      std::vector<std::string> kinds;
      for (std::size_t i = 1; i < parts.size(); ++i) kinds.push_back(of(parts[i]));
      if (parts[0].text == "optional") return "optional(" + (kinds.empty() ? "?" : kinds[0]) + ")";
      return name == "escapeKey" ? "string" : "?";
    }
    std::vector<std::string> kinds;
    for (const CelNode& part : parts) kinds.push_back(of(part));
    for (const char* number : {"int", "uint", "double", "bool"})
      if (name == "size" && kinds == std::vector<std::string>{number})
        throw CelFailed("the size of a number");
    if (const auto found = results().find(name); found != results().end()) return found->second;
    if (kinds.empty()) return "?";
    if (name == "-") return kinds[0];
    const std::string held = within(kinds[0], "optional");
    if (name == "value") return held.empty() ? kinds[0] : held;
    if (name == "or" && kinds.size() == 2) return together(kinds[0], kinds[1]);
    if (name == "orValue" && kinds.size() == 2) return together(held.empty() ? "dyn" : held, kinds[1]);
    return "?";
  }

  CelKinds names_;
};

}  // namespace

std::string cel_kind(const CelNode& expression, const CelKinds& names) { return Kinds(names).of(expression); }

}  // namespace fixpoint::oracle
