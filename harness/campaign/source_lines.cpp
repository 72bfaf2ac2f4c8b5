#include "harness/campaign/source_lines.h"

#include <filesystem>
#include <string>
#include <vector>

#include "harness/document/document_stream.h"
#include "harness/document/yaml.h"
#include "harness/external/manifests/manifest_files.h"

namespace fixpoint::campaign {

namespace {

using document::Value;

/// A configuration or a policy in a document, and the pointer to it.
struct Found {
  const Value* object = nullptr;
  std::string pointer = {};
};

/// Finds the object of that name: the document, one in its list of items, or a Subject's configuration.
Found find_object(const Value& document, const std::string& name, const std::string& pointer) {
  const bool is_it = document["webhooks"].is_array() || document["spec"].is_object();
  if (is_it && document["metadata"]["name"].text() == name) return {&document, pointer};
  if (document["configuration"].is_object())
    return find_object(document["configuration"], name, pointer + "/configuration");
  for (std::size_t i = 0; i < document["items"].size(); ++i)
    if (Found found = find_object(document["items"].at(i), name, pointer + "/items/" + std::to_string(i));
        found.object != nullptr)
      return found;
  return {};
}

/// Returns true if the file has the configuration; its webhooks, and the policy, get their lines.
bool take_lines(const std::string& file, const std::string& name, reports::RunRecord& record) {
  const auto text = document::read_text_file(file);
  const auto documents =
      text.ok() ? document::read_stream(*text, {}, document::Strictness::foreign) : text.error();
  if (!documents) return false;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const Found found = find_object((*documents)[i], name, "");
    if (found.object == nullptr) continue;
    const auto line_of = [&](const std::string& pointer) {
      const auto position = document::position_of(*text, found.pointer + pointer, i);
      return position ? position->line : 1;
    };
    record.lines[name] = line_of("/metadata/name");
    const Value& webhooks = (*found.object)["webhooks"];
    for (std::size_t j = 0; j < webhooks.size(); ++j)
      record.lines[name + "/" + std::string(webhooks.at(j)["name"].text())] =
          line_of("/webhooks/" + std::to_string(j));
    return true;
  }
  return false;
}

}  // namespace

void find_source_lines(reports::RunRecord& record) {
  std::error_code problem;
  for (auto& [name, path] : record.files) {
    if (!std::filesystem::is_directory(path, problem)) {
      take_lines(path, name, record);
      continue;
    }
    for (const std::string& file : external::files_of_documents(path)) {
      if (!take_lines(file, name, record)) continue;
      path = file;
      break;
    }
  }
}

}  // namespace fixpoint::campaign
