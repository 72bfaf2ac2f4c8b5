#include "harness/oracle/oracle_cel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "harness/oracle/oracle_authorizer.h"

namespace fixpoint::oracle {

namespace {

using Is = CelNode::Is;

constexpr int kStepsMax = 20'000;
using Values = std::map<std::string, CelValue>;

bool truth_of(const CelValue& value) {
  if (value.is != CelValue::Is::boolean) throw CelFailed("no such overload");
  return value.truth;
}

/// What holds of some or all of a list: one yes (or no) decides, whatever fails beside it.
class Verdict {
 public:
  explicit Verdict(bool deciding) : deciding_(deciding) {}

  /// Takes the answer of one part; returns true if it decides.
  template <typename Part>
  bool decides(Part part) {
    try {
      if (truth_of(part()) == deciding_) return decided_ = true;
    } catch (const CelFailed& failed) {
      if (!failed_) failed_ = failed;
    }
    return false;
  }
  CelValue answer() const {
    if (decided_) return cel_boolean(deciding_);
    if (failed_) throw *failed_;
    return cel_boolean(!deciding_);
  }

 private:
  bool deciding_;
  bool decided_ = false;
  std::optional<CelFailed> failed_ = {};
};

const std::set<std::string>& namespaces() {
  static const std::set<std::string> all{"optional", "jsonpatch", "ip",    "math", "sets",
                                         "strings",  "base64",    "lists", "regex"};
  return all;
}

/// The macros with the numbers of their arguments, without the target.
const std::set<std::pair<std::string, std::size_t>>& macros() {
  static const std::set<std::pair<std::string, std::size_t>> all{{"all", 2},
                                                                 {"exists", 2},
                                                                 {"exists_one", 2},
                                                                 {"existsOne", 2},
                                                                 {"map", 2},
                                                                 {"map", 3},
                                                                 {"filter", 2},
                                                                 {"all", 3},
                                                                 {"exists", 3},
                                                                 {"exists_one", 3},
                                                                 {"existsOne", 3},
                                                                 {"transformList", 3},
                                                                 {"transformList", 4},
                                                                 {"transformMap", 3},
                                                                 {"transformMap", 4},
                                                                 {"transformMapEntry", 3},
                                                                 {"transformMapEntry", 4},
                                                                 {"optMap", 2},
                                                                 {"optFlatMap", 2},
                                                                 {"sortBy", 2}};
  return all;
}

const std::set<std::string>& type_names() {
  static const std::set<std::string> all{"int",   "uint", "double", "bool",      "string",
                                         "bytes", "list", "map",    "null_type", "type"};
  return all;
}

class Walk {
 public:
  explicit Walk(const CelInputs& inputs) : inputs_(inputs), names_(inputs.values) {}

  CelValue value_of(const CelNode& node) {
    if (++steps_ > kStepsMax) throw Unsupported("an expression that the server may find too expensive");
    switch (node.is) {
      case Is::literal:
        return node.value;
      case Is::name:
        return named(node.text);
      case Is::select:
        return selected(node);
      case Is::index:
        return indexed(node);
      case Is::list:
        return list(node);
      case Is::map:
        return map(node);
      case Is::object:
        return object(node);
      case Is::call:
        return call(node);
    }
    return {};
  }

 private:
  CelValue named(const std::string& name) const {
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    if (type_names().contains(name)) return cel_type(name);
    throw CelFailed("undeclared reference to " + name);
  }

  CelValue selected(const CelNode& node) {
    const CelNode& of = node.parts[0];
    if (of.is == Is::name && of.text == "variables" && inputs_.variable && !node.is_optional)
      return inputs_.variable(node.text);
    if (of.is == Is::select && of.text == "protobuf" && !node.is_optional)
      return cel_type("google.protobuf." + node.text);
    const auto request_resource = names_.find("authorizer.requestResource");
    if (of.is == Is::name && of.text == "authorizer" && node.text == "requestResource" &&
        request_resource != names_.end())
      return request_resource->second;
    return member(value_of(of), cel_text(node.text), node.is_optional);
  }

  CelValue indexed(const CelNode& node) {
    const CelValue of = value_of(node.parts[0]);
    return member(of, value_of(node.parts[1]), node.is_optional);
  }

  static CelValue member(const CelValue& of, const CelValue& key, bool is_optional) {
    if (of.is == CelValue::Is::optional)
      return of.has_value() ? cel_optional_member(of.held(), key) : cel_none();
    return is_optional ? cel_optional_member(of, key) : cel_member(of, key);
  }

  /// An element after `?`: nothing if it has no value.
  std::optional<CelValue> element(const CelNode& node) {
    if (node.is != Is::call || node.text != "?element") return value_of(node);
    const CelValue value = value_of(node.parts[0]);
    if (value.is != CelValue::Is::optional) throw CelFailed("no optional after ?");
    if (!value.has_value()) return std::nullopt;
    return value.held();
  }

  CelValue list(const CelNode& node) {
    CelList elements;
    for (const CelNode& part : node.parts)
      if (auto value = element(part)) elements.push_back(*std::move(value));
    return cel_list(std::move(elements));
  }

  CelValue map(const CelNode& node) {
    CelEntries entries;
    for (std::size_t i = 0; i < node.parts.size(); i += 2) {
      CelValue key = value_of(node.parts[i]);
      auto value = element(node.parts[i + 1]);
      // The last of several keys of one type counts, even if it says that there is none.
      std::erase_if(entries, [&](const auto& entry) {
        return entry.first.is == key.is && cel_is_equal(entry.first, key);
      });
      if (value) entries.emplace_back(std::move(key), *std::move(value));
    }
    return cel_map(std::move(entries));
  }

  CelValue object(const CelNode& node) {
    CelValue made{.is = CelValue::Is::object, .text = node.text};
    CelEntries fields;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      auto value = element(node.parts[i]);
      std::erase_if(fields, [&](const auto& field) { return field.first.text == node.fields[i]; });
      if (!value) continue;
      const bool is_text = node.text == "JSONPatch" && node.fields[i] != "value";
      if (is_text && value->is != CelValue::Is::text) throw CelFailed("no text in a field of JSONPatch");
      fields.emplace_back(cel_text(node.fields[i]), *std::move(value));
    }
    made.entries = std::make_shared<const CelEntries>(std::move(fields));
    return made;
  }

  CelValue call(const CelNode& node) {
    const auto& parts = node.parts;
    const std::string& name = node.text;
    if (name == "()") return value_of(parts[0]);
    if (name == "?:") return truth_of(value_of(parts[0])) ? value_of(parts[1]) : value_of(parts[2]);
    if (name == "&&" || name == "||") {
      Verdict verdict(name == "||");
      for (const CelNode& part : parts)
        if (verdict.decides([&] { return value_of(part); })) break;
      return verdict.answer();
    }
    // Nothing is in a list that is written empty, whatever it would be.
    if (name == "in" && parts[1].is == Is::list && parts[1].parts.empty()) return cel_boolean(false);
    if (name == "has" && !node.has_target && parts.size() == 1) return has(parts[0]);
    if (node.has_target && parts[0].is == Is::name && namespaces().contains(parts[0].text) &&
        !names_.contains(parts[0].text)) {
      return call_cel_function(parts[0].text + "." + name, false, arguments(parts, 1));
    }
    if (node.has_target && macros().contains({name, parts.size() - 1}) && parts[1].is == Is::name)
      return macro(node);
    if (node.has_target && (name == "orValue" || name == "or") && parts.size() == 2) return otherwise(node);
    const std::vector<CelValue> of = arguments(parts, 0);
    if (node.has_target && of[0].is == CelValue::Is::question) return authorizer_function(name, of, inputs_);
    return call_cel_function(name, node.has_target, of);
  }

  std::vector<CelValue> arguments(const std::vector<CelNode>& parts, std::size_t first) {
    std::vector<CelValue> all;
    for (std::size_t i = first; i < parts.size(); ++i) all.push_back(value_of(parts[i]));
    return all;
  }

  /// The alternative is evaluated only if it is needed.
  CelValue otherwise(const CelNode& node) {
    const CelValue value = value_of(node.parts[0]);
    if (value.is != CelValue::Is::optional) throw CelFailed("no such overload");
    if (!value.has_value()) return value_of(node.parts[1]);
    return node.text == "or" ? value : value.held();
  }

  CelValue has(const CelNode& node) {
    if (node.is != Is::select) throw CelFailed("has() of no field");
    const CelNode& within = node.parts[0];
    if (within.is == Is::name && within.text == "variables" && inputs_.variable) {
      inputs_.variable(node.text);  // it is there, or fails
      return cel_boolean(true);
    }
    const CelValue of = value_of(within);
    return cel_boolean(member(of, cel_text(node.text), true).has_value());
  }

  /// The pairs of a list or a map over which a macro goes: of a list, the index and the element.
  static CelEntries pairs_of(const CelValue& range) {
    if (range.is == CelValue::Is::map) return *range.entries;
    if (range.is != CelValue::Is::list) throw CelFailed("no such overload");
    CelEntries pairs;
    for (const CelValue& element : *range.elements)
      pairs.emplace_back(cel_integer(static_cast<std::int64_t>(pairs.size())), element);
    return pairs;
  }

  CelValue macro(const CelNode& node) {
    const Values outer = names_;
    try {
      CelValue value = node.text.starts_with("opt") ? optional_macro(node) : comprehension(node);
      names_ = outer;
      return value;
    } catch (...) {
      names_ = outer;
      throw;
    }
  }

  CelValue optional_macro(const CelNode& node) {
    const CelValue of = value_of(node.parts[0]);
    if (of.is != CelValue::Is::optional) throw CelFailed("no such overload");
    if (!of.has_value()) return of;
    names_[node.parts[1].text] = of.held();
    CelValue made = value_of(node.parts[2]);
    return node.text == "optMap" ? cel_some(std::move(made)) : made;
  }

  CelValue comprehension(const CelNode& node) {
    const auto& parts = node.parts;
    const std::string& name = node.text;
    const CelValue range = value_of(parts[0]);
    const bool transforms = name.starts_with("transform");
    const bool has_two = transforms || (name != "map" && parts.size() == 4);
    const std::size_t first = has_two ? 3 : 2;  // of the expressions
    const auto bind = [&](const std::pair<CelValue, CelValue>& pair) {
      const bool is_map = range.is == CelValue::Is::map;
      names_[parts[1].text] = has_two || is_map ? pair.first : pair.second;
      if (has_two) names_[parts[2].text] = pair.second;
    };
    const CelEntries pairs = pairs_of(range);
    if (name == "all" || name == "exists") {
      Verdict verdict(name == "exists");
      for (const auto& pair : pairs) {
        bind(pair);
        if (verdict.decides([&] { return value_of(parts[first]); })) break;
      }
      return verdict.answer();
    }
    if (name == "exists_one" || name == "existsOne") {
      int times = 0;
      for (const auto& pair : pairs) {
        bind(pair);
        times += truth_of(value_of(parts[first])) ? 1 : 0;
      }
      return cel_boolean(times == 1);
    }
    if (name == "sortBy") return sorted_by(node, pairs);
    const bool is_filter = name == "filter", is_filtered = is_filter || parts.size() == first + 2;
    CelEntries made;
    for (const auto& pair : pairs) {
      bind(pair);
      if (is_filtered && !truth_of(value_of(parts[first]))) continue;
      made.emplace_back(pair.first, is_filter ? names_[parts[1].text] : value_of(parts.back()));
    }
    if (name == "transformMap") return cel_map(std::move(made));
    if (name == "transformMapEntry") return joined(made);
    CelList elements;
    for (auto& pair : made) elements.push_back(std::move(pair.second));
    return cel_list(std::move(elements));
  }

  static CelValue joined(const CelEntries& maps) {
    CelEntries entries;
    for (const auto& [unused, map] : maps) {
      for (const auto& [key, value] : *map.entries) {
        for (const auto& [other, ignored] : entries)
          if (cel_is_equal(other, key)) throw CelFailed("a key stands twice");
        entries.emplace_back(key, value);
      }
    }
    return cel_map(std::move(entries));
  }

  CelValue sorted_by(const CelNode& node, CelEntries pairs) {
    for (auto& pair : pairs) {
      names_[node.parts[1].text] = pair.second;
      pair.first = value_of(node.parts[2]);
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
      return cel_order(a.first, b.first) == CelOrder::less;
    });
    CelList elements;
    for (auto& pair : pairs) elements.push_back(std::move(pair.second));
    return cel_list(std::move(elements));
  }

  const CelInputs& inputs_;
  Values names_;
  int steps_ = 0;
};

/// The place of an index in a list: any number that is whole.
std::optional<std::int64_t> whole_of(const CelValue& key) {
  if (key.is == CelValue::Is::integer) return key.integer;
  if (key.is == CelValue::Is::natural && key.natural >> 63 == 0)
    return static_cast<std::int64_t>(key.natural);
  if (key.is == CelValue::Is::real && key.real == std::trunc(key.real) && std::abs(key.real) < 0x1p62)
    return static_cast<std::int64_t>(key.real);
  return std::nullopt;
}

}  // namespace

CelValue evaluate_cel(const CelNode& expression, const CelInputs& inputs) {
  return Walk(inputs).value_of(expression);
}

CelValue cel_member(const CelValue& of, const CelValue& key) {
  if (of.is == CelValue::Is::list && !whole_of(key)) throw CelFailed("no index");
  const bool is_container =
      of.is == CelValue::Is::list || of.is == CelValue::Is::map || of.is == CelValue::Is::object;
  if (!is_container) throw CelFailed("no such overload");
  const CelValue found = cel_optional_member(of, key);
  // A field that an object lacks is null; one of JSONPatch is empty.
  if (!found.has_value() && of.is == CelValue::Is::object)
    return of.text == "JSONPatch" && key.text != "value" ? cel_text("") : CelValue();
  if (!found.has_value())
    throw CelFailed(of.is == CelValue::Is::list ? "index out of bounds" : "no such key");
  return found.held();
}

CelValue cel_optional_member(const CelValue& of, const CelValue& key) {
  if (of.is == CelValue::Is::list) {
    const auto place = whole_of(key);
    if (!place) throw CelFailed("no index");
    if (*place < 0 || static_cast<std::size_t>(*place) >= of.elements->size()) return cel_none();
    return cel_some((*of.elements)[static_cast<std::size_t>(*place)]);
  }
  if (of.is == CelValue::Is::object || of.is == CelValue::Is::map) {
    for (const auto& [name, value] : *of.entries)
      if (cel_is_equal(name, key)) return cel_some(value);
    return cel_none();
  }
  return cel_none();
}

}  // namespace fixpoint::oracle
