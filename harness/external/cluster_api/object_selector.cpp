#include "harness/external/cluster_api/object_selector.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace fixpoint::external {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// The fields, other than name and namespace, by which a built-in resource can be selected.
struct SelectableFields {
  std::string_view store;
  std::string_view paths;  ///< separated by blanks
  std::string_view problem = "field label not supported: ";
};
constexpr auto kSelectable = std::to_array<SelectableFields>({
    {"pods",
     " spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork "
     "status.phase "
     "status.podIP status.podIPs status.nominatedNodeName "},
    {"secrets", " type "},
    {"services", " spec.clusterIP spec.type "},
    {"nodes", " spec.unschedulable "},
    {"namespaces", " status.phase "},
    {"replicationcontrollers", " status.replicas "},
    {"replicasets.apps", " status.replicas "},
    {"jobs.batch", " status.successful "},
    {"certificatesigningrequests.certificates.k8s.io", " spec.signerName "},
    {"events",
     " involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid "
     "involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason "
     "reportingComponent source type "},
    {"resourceslices.resource.k8s.io", " spec.nodeName spec.driver "},
});

/// Returns the server's message if the resource cannot be selected by that field.
std::optional<std::string> problem_of_field(const std::string& path, const ApiResource& resource) {
  if (path == "metadata.name" || path == "metadata.namespace") return std::nullopt;
  const auto& own = resource.selectable_fields;
  if (std::find(own.begin(), own.end(), path) != own.end()) return std::nullopt;
  for (const SelectableFields& row : kSelectable) {
    if (row.store != resource.store()) continue;
    const std::string word = " " + path + " ";
    if (row.paths.find(word) != std::string_view::npos && path.find(' ') == std::string::npos)
      return std::nullopt;
    return std::string(row.problem) + path;
  }
  return "\"" + path + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
}

/// Returns the field's text as selectors see it: booleans as words, an absent boolean as false.
std::string field_text(const Value& object, std::string_view path) {
  const bool is_boolean = path == "spec.hostNetwork" || path == "spec.unschedulable";
  const Value* value = &object;
  while (!path.empty()) {
    const auto dot = std::min(path.find('.'), path.size());
    value = &(*value)[document::Name(path.substr(0, dot))];
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  if (value->is_boolean() || is_boolean) return value->is_true() ? "true" : "false";
  return std::string(value->text());
}

bool is_of_label(char c) {
  const auto letter = static_cast<unsigned char>(c);
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || c == '-' || c == '_' || c == '.' || c == '/';
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

/// Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2`.
class ObjectSelector::LabelReader {
 public:
  explicit LabelReader(std::string_view text) : rest_(text) {}

  Result<std::vector<Requirement>> read() {
    std::vector<Requirement> all;
    skip_blanks();
    while (!rest_.empty()) {
      auto one = requirement();
      if (!one) return Error{"unable to parse requirement: found '" + std::string(rest_) + "'"};
      all.push_back(*std::move(one));
      if (rest_.empty()) break;
      if (!take(",")) return Error{"found '" + std::string(rest_) + "', expected: ',' or 'end of string'"};
      skip_blanks();
    }
    return all;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string word() {
    skip_blanks();
    std::size_t size = 0;
    while (size < rest_.size() && is_of_label(rest_[size])) ++size;
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    skip_blanks();
    return text;
  }
  std::optional<Requirement> requirement() {
    if (take("!")) {
      Requirement absent{.key = word(), .with = Operator::absent};
      return absent.key.empty() ? std::nullopt : std::optional(absent);
    }
    Requirement one{.key = word()};
    if (one.key.empty()) return std::nullopt;
    if (rest_.empty() || rest_[0] == ',') return one;
    if (take("!=")) return with_value(std::move(one), Operator::not_in);
    if (take("==") || take("=")) return with_value(std::move(one), Operator::in);
    if (take(">")) return with_number(std::move(one), Operator::greater);
    if (take("<")) return with_number(std::move(one), Operator::less);
    if (take("notin")) return with_set(std::move(one), Operator::not_in);
    if (take("in")) return with_set(std::move(one), Operator::in);
    return std::nullopt;
  }
  std::optional<Requirement> with_value(Requirement one, Operator with) {
    one.with = with;
    one.values.push_back(word());
    return one;
  }
  std::optional<Requirement> with_number(Requirement one, Operator with) {
    one = *with_value(std::move(one), with);
    return integer_of(one.values[0]) ? std::optional(std::move(one)) : std::nullopt;
  }
  std::optional<Requirement> with_set(Requirement one, Operator with) {
    one.with = with;
    if (!take("(")) return std::nullopt;
    do {
      one.values.push_back(word());
    } while (take(","));
    return take(")") ? (skip_blanks(), std::optional(std::move(one))) : std::nullopt;
  }

  std::string_view rest_;
};

Result<ObjectSelector> ObjectSelector::read(const SelectorTexts& texts, const ApiResource& resource) {
  ObjectSelector selector;
  auto labels = LabelReader(texts.labels).read();
  if (!labels) return std::move(labels).error();
  selector.labels_ = *std::move(labels);
  if (auto fields = selector.read_fields(texts.fields, resource); !fields) return std::move(fields).error();
  return selector;
}

Result<bool> ObjectSelector::read_fields(std::string_view text, const ApiResource& resource) {
  const std::string whole(text);
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    const auto equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Error{"invalid selector: '" + whole + "'; can't understand '" + std::string(one) + "'"};
    const bool is_not = one[equals - 1] == '!';
    const bool is_double = equals + 1 < one.size() && one[equals + 1] == '=';
    Requirement field{.key = std::string(one.substr(0, equals - (is_not ? 1 : 0))),
                      .with = is_not ? Operator::not_in : Operator::in,
                      .values = {std::string(one.substr(equals + (is_double ? 2 : 1)))}};
    if (auto problem = problem_of_field(field.key, resource)) return Error{*std::move(problem)};
    fields_.push_back(std::move(field));
  }
  return true;
}

bool ObjectSelector::holds(const Requirement& requirement, const Value* label) {
  const auto is_listed = [&] {
    const auto& values = requirement.values;
    return std::find(values.begin(), values.end(), label->text()) != values.end();
  };
  switch (requirement.with) {
    case Operator::exists:
      return label != nullptr;
    case Operator::absent:
      return label == nullptr;
    case Operator::in:
      return label != nullptr && is_listed();
    case Operator::not_in:
      return label == nullptr || !is_listed();
    case Operator::greater:
    case Operator::less:
      break;
  }
  if (label == nullptr) return false;
  const auto number = integer_of(label->text());
  const auto bound = integer_of(requirement.values[0]);
  if (!number || !bound) return false;
  return requirement.with == Operator::greater ? *number > *bound : *number < *bound;
}

bool ObjectSelector::selects(const Value& object) const {
  const Value& labels = object["metadata"]["labels"];
  for (const Requirement& requirement : labels_) {
    if (!holds(requirement, labels.find(document::Name(requirement.key)))) return false;
  }
  return std::all_of(fields_.begin(), fields_.end(), [&](const Requirement& field) {
    const bool is_equal = field_text(object, field.key) == field.values[0];
    return is_equal == (field.with == Operator::in);
  });
}

void ObjectSelector::require_name(std::string_view name) {
  fields_.push_back({.key = "metadata.name", .with = Operator::in, .values = {std::string(name)}});
}

}  // namespace fixpoint::external
