#include "harness/apiserver/cel/declarations.h"

#include <algorithm>
#include <array>
#include <map>

namespace fixpoint::apiserver::cel {

namespace {

struct SimpleType {
  const char* text;
  const char* name;  ///< of the type in long messages and at run time
  TypeKind kind;
};
constexpr std::array kSimpleTypes = {
    SimpleType{"bool", "bool", TypeKind::boolean},
    SimpleType{"int", "int", TypeKind::integer},
    SimpleType{"uint", "uint", TypeKind::unsigned_integer},
    SimpleType{"double", "double", TypeKind::real},
    SimpleType{"string", "string", TypeKind::text},
    SimpleType{"bytes", "bytes", TypeKind::bytes},
    SimpleType{"dyn", "dyn", TypeKind::dyn},
    SimpleType{"null", "null_type", TypeKind::null},
    SimpleType{"duration", "google.protobuf.Duration", TypeKind::duration},
    SimpleType{"timestamp", "google.protobuf.Timestamp", TypeKind::timestamp},
    SimpleType{"type", "type", TypeKind::type},
    SimpleType{"!error!", "*error*", TypeKind::error},
};

/// Kubernetes' types with parameters and those that its libraries declare as opaque.
constexpr std::array kOpaqueNames = {"optional_type", "net.IP", "net.CIDR"};

constexpr std::array kLibraryRows = {
    LibraryRow{Library::standard, "standard", 0, "operators, macros, conversions, durations and timestamps"},
    LibraryRow{Library::urls, "urls", 0,
               "url, isURL, getScheme, getHost, getHostname, getPort, getEscapedPath, getQuery"},
    LibraryRow{Library::regex, "regex", 0, "find, findAll"},
    LibraryRow{Library::lists, "lists", 0, "isSorted, sum, min, max, indexOf, lastIndexOf of lists"},
    LibraryRow{Library::strings, "strings", 0,
               "charAt, indexOf, join, lastIndexOf, lowerAscii, replace, split, substring, trim, upperAscii"},
    LibraryRow{Library::authorizer, "authorizer", 27, "authorizer and its checks"},
    LibraryRow{Library::optionals, "optionals", 28,
               "optional.of and the like, a.?b, a[?b], optMap, optFlatMap, first, last, unwrap"},
    LibraryRow{Library::quantity, "quantity", 28, "quantity, isQuantity, comparisons and sums of quantities"},
    LibraryRow{Library::strings_2, "strings 2", 29, "format, strings.quote"},
    LibraryRow{Library::sets, "sets", 29, "sets.contains, sets.equivalent, sets.intersects"},
    LibraryRow{Library::validators, "validators", 29,
               "literals of durations, timestamps, patterns and lists are checked"},
    LibraryRow{Library::network, "network", 30, "ip, cidr and their functions"},
    LibraryRow{Library::formats, "formats", 31, "format.dns1123Label and the like, format.named, validate"},
    LibraryRow{Library::selectors, "selectors", 32, "fieldSelector, labelSelector of an authorizer's check"},
    LibraryRow{Library::two_variables, "two variables", 32,
               "all, exists, existsOne with two variables, transformList, transformMap, transformMapEntry"},
    LibraryRow{Library::semver, "semver", 33, "semver, isSemver, major, minor, patch"},
    LibraryRow{Library::lists_3, "lists 3", 34,
               "slice, flatten, sort, sortBy, distinct, reverse, lists.range"},
    LibraryRow{Library::json_patch, "JSON Patch", 32,
               "Object, JSONPatch, jsonpatch.escapeKey: in mutations only"},
};

/// Splits at the commas outside parentheses.
std::vector<std::string_view> split_types(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      std::string_view part = text.substr(start, i - start);
      while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
      if (!part.empty()) parts.push_back(part);
      start = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return parts;
}

void collect_parameters(const Type& type, std::vector<std::string>& into) {
  if (type.kind == TypeKind::parameter && std::find(into.begin(), into.end(), type.name) == into.end()) {
    into.push_back(type.name);
  }
  for (const TypePtr& part : type.of) collect_parameters(*part, into);
}

Overload read_overload(const Declaration& row) {
  Overload overload;
  overload.row = &row;
  std::string_view text = row.signature;
  overload.is_member = text.front() == '.';
  if (overload.is_member) text.remove_prefix(1);
  int depth = 0;
  std::size_t close = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      close = i;
      break;
    }
  }
  for (std::string_view part : split_types(text.substr(1, close - 1)))
    overload.arguments.push_back(read_type(part));
  overload.result = read_type(text.substr(close + 2));
  collect_parameters(*overload.result, overload.parameters);
  for (const TypePtr& argument : overload.arguments) collect_parameters(*argument, overload.parameters);
  return overload;
}

struct Functions {
  std::map<std::string, std::vector<Overload>, std::less<>> by_name;
  std::map<std::string, const Overload*, std::less<>> by_id;

  Functions() {
    for (const auto& rows : {standard_declarations(), extension_declarations(), kubernetes_declarations()}) {
      for (const Declaration& row : rows) by_name[row.function].push_back(read_overload(row));
    }
    for (const auto& [name, overloads] : by_name) {
      for (const Overload& overload : overloads) by_id.emplace(overload.row->overload, &overload);
    }
  }
};

const Functions& functions() {
  static const Functions all;
  return all;
}

std::string joined_type(const std::string& name, const std::vector<TypePtr>& parts,
                        std::string (*write)(const Type&)) {
  if (parts.empty()) return name;
  std::string text = name + "(";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? ", " : "") + write(*parts[i]);
  return text + ")";
}

}  // namespace

std::span<const LibraryRow> library_rows() { return kLibraryRows; }

TypePtr make_type(TypeKind kind, std::string name, std::vector<TypePtr> of) {
  return std::make_shared<const Type>(Type{kind, std::move(name), std::move(of)});
}

TypePtr read_type(std::string_view text) {
  for (const SimpleType& row : kSimpleTypes) {
    if (text == row.text) return make_type(row.kind, row.name);
  }
  if (text.size() == 1) return make_type(TypeKind::parameter, std::string(text));
  const std::size_t open = text.find('(');
  const std::string name(text.substr(0, open));
  std::vector<TypePtr> parts;
  if (open != std::string_view::npos) {
    for (std::string_view part : split_types(text.substr(open + 1, text.size() - open - 2))) {
      parts.push_back(read_type(part));
    }
  }
  if (name == "list") return make_type(TypeKind::list, name, std::move(parts));
  if (name == "map") return make_type(TypeKind::map, name, std::move(parts));
  if (name == "type") return make_type(TypeKind::type, name, std::move(parts));
  const bool is_opaque = std::find(kOpaqueNames.begin(), kOpaqueNames.end(), name) != kOpaqueNames.end();
  return make_type(is_opaque ? TypeKind::opaque : TypeKind::message, name, std::move(parts));
}

TypePtr list_type(TypePtr element) { return make_type(TypeKind::list, "list", {std::move(element)}); }
TypePtr map_type(TypePtr key, TypePtr value) {
  return make_type(TypeKind::map, "map", {std::move(key), std::move(value)});
}
TypePtr optional_type(TypePtr value) {
  return make_type(TypeKind::opaque, "optional_type", {std::move(value)});
}

std::string type_text(const Type& type) {
  for (const SimpleType& row : kSimpleTypes) {
    if (type.kind == row.kind && type.of.empty()) return row.text;
  }
  return joined_type(type.name, type.of, type_text);
}

std::string long_type_text(const Type& type) {
  if (type.kind == TypeKind::parameter) return "<" + type.name + ">";
  return joined_type(type.name, type.of, long_type_text);
}

bool is_same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.of.size() != b.of.size()) return false;
  for (std::size_t i = 0; i < a.of.size(); ++i) {
    if (!is_same_type(*a.of[i], *b.of[i])) return false;
  }
  return true;
}

const std::vector<Overload>* find_function(std::string_view name) {
  const auto found = functions().by_name.find(name);
  return found == functions().by_name.end() ? nullptr : &found->second;
}

const Overload* find_overload(std::string_view id) {
  const auto found = functions().by_id.find(id);
  return found == functions().by_id.end() ? nullptr : found->second;
}

}  // namespace fixpoint::apiserver::cel
