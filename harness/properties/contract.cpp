#include "harness/properties/contract.h"

#include <charconv>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"

namespace fixpoint::properties {

namespace {

Value annotation_of(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                    const char* name) {
  const Value* configuration = cases::find_configuration(examination.value.cluster, webhook.configuration);
  if (configuration == nullptr) return {};
  const Value& text = (*configuration)["metadata"]["annotations"][document::Name(name)];
  if (!text.is_string()) return {};
  auto read = document::read_json(text.text(), examination.limits);
  return read ? *std::move(read) : Value();
}

/// The next part of a path: a member's name, or the text in brackets.
struct Part {
  std::string_view text;
  bool is_bracketed = false;
};
/// The parts of a path, and the first error in it as a path that an owner states; nullptr if there is none.
struct Split {
  std::vector<Part> parts = {};
  const char* expected = nullptr;
};

const char* problem_of_name(std::string_view name, std::string_view rest) {
  if (name.empty()) {
    if (rest.empty()) return "expected a name behind the last dot";
    return rest.front() == '.' ? "expected a name in front of a dot"
                               : "expected a name in front of a bracket";
  }
  if (name.find(']') != std::string_view::npos)
    return "expected a bracket that opens in front of one that closes";
  const auto star = name.find('*');
  const bool is_last =
      star == std::string_view::npos || name.find_first_not_of('*', star) == std::string_view::npos;
  return is_last ? nullptr : "expected * as the last of a name";
}

Split split(std::string_view path) {
  Split all;
  const auto expect = [&](bool holds, const char* expected) {
    if (!holds && all.expected == nullptr) all.expected = expected;
  };
  for (std::size_t at = 0; at < path.size();) {
    if (path[at] == '[') {
      const std::size_t end = std::min(path.find(']', at), path.size());
      expect(at > 0, "expected a name in front of a bracket");
      expect(end < path.size(), "expected a bracket that closes");
      expect(path[end - 1] != '[', "expected a key, an index or * in brackets");
      all.parts.push_back({path.substr(at + 1, end - at - 1), true});
      at = end + 1;
      const bool goes_on =
          at >= path.size() || std::string_view(".[]").find(path[at]) != std::string_view::npos;
      expect(goes_on, "expected a dot behind a bracket");
      continue;
    }
    if (path[at] == '.') {
      expect(at > 0, "expected a name in front of a dot");
      ++at;
    }
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    const std::string_view name = path.substr(at, end - at);
    const char* problem = problem_of_name(name, path.substr(end));
    expect(problem == nullptr, problem);
    all.parts.push_back({name});
    at = end;
  }
  return all;
}

bool fits(const Part& pattern, const Part& part, const Value& at) {
  if (pattern.text == part.text || pattern.text == "*") return true;
  const auto equals = pattern.text.find('=');
  if (!pattern.is_bracketed || !part.is_bracketed || equals == std::string_view::npos) {
    return pattern.text.ends_with('*') &&
           part.text.starts_with(pattern.text.substr(0, pattern.text.size() - 1));
  }
  return at[pattern.text.substr(0, equals)].text() == pattern.text.substr(equals + 1);
}

Value step(const Value& at, const Part& part) {
  std::size_t index = 0;
  const auto [rest, bad] = std::from_chars(part.text.data(), part.text.data() + part.text.size(), index);
  if (part.is_bracketed && at.is_array() && bad == std::errc()) return at.at(index);
  return at[part.text];
}

bool is_covered(std::string_view pattern, std::string_view place, const Value& pod) {
  const auto wanted = split(pattern).parts, parts = split(place).parts;
  if (parts.size() < wanted.size()) return false;
  Value at = pod;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    at = step(at, parts[i]);
    if (!fits(wanted[i], parts[i], at)) return false;
  }
  return true;
}

}  // namespace

bool OwnedPaths::covers(std::string_view place, const Value& pod) const {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const std::string& path) { return is_covered(path, place, pod); });
}

std::optional<document::Error> problem_of_owned_path(std::string_view path) {
  if (path.empty()) return document::Error{"expected a path such as spec.containers[*].image"};
  const char* expected = split(path).expected;
  if (expected == nullptr) return std::nullopt;
  return document::Error{expected, std::string(path)};
}

void add_owned_paths(Value& configuration, const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  const document::Name owns(kOwnsAnnotation);
  auto stated = document::read_json(configuration["metadata"]["annotations"][owns].text());
  Value all = stated && stated->is_array() ? *std::move(stated) : Value::empty_list();
  for (const std::string& path : paths) all.push_back(path);
  configuration.edit("metadata").edit("annotations").set(owns, document::write_json(all));
}

OwnedPaths owned_paths_of(const Examination& examination, const apiserver::ConfiguredWebhook& webhook) {
  const Value owns = annotation_of(examination, webhook, kOwnsAnnotation);
  OwnedPaths owned_paths{.is_stated = owns.is_array()};
  for (const Value& path : owns.elements()) owned_paths.paths.emplace_back(path.text());
  return owned_paths;
}

std::vector<Promise> promises_of(const Examination& examination,
                                 const apiserver::ConfiguredWebhook& webhook) {
  std::vector<Promise> promises;
  const Value said = annotation_of(examination, webhook, kPromisesAnnotation);
  for (const auto& list : said.members()) {
    for (const auto& one : list.value.members()) {
      promises.push_back(
          {std::string(list.key.text()), std::string(one.key.text()), one.value.text() == "first"});
    }
  }
  return promises;
}

}  // namespace fixpoint::properties
