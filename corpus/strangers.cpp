#include "corpus/strangers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/document/output_file.h"

namespace fixpoint::corpus {

namespace {

namespace files = std::filesystem;
using document::Error;
using document::Fields;
using document::Result;
using document::Value;

constexpr std::string_view kConfiguration = "MutatingWebhookConfiguration";

/// The programs of one language: the file is before/NAME/after, its configuration is before/NAME.yaml.
struct Language {
  std::string_view tool, before, after;
};
constexpr std::array<Language, 3> kLanguages{
    {{"python3", "python/", ".py"}, {"node", "node/", ".js"}, {"go", "go/cmd/", "/main.go"}}};

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// Returns the text between `before` and `after` if it can be the name of a file.
std::optional<std::string> between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before)) return std::nullopt;
  text.remove_prefix(before.size());
  if (!text.ends_with(after)) return std::nullopt;
  text.remove_suffix(after.size());
  return document::is_file_name(text) ? std::optional<std::string>(text) : std::nullopt;
}

/// Returns the keys of the webhooks in a file's configurations.
Result<std::vector<std::string>> webhooks_of(const std::string& configuration) {
  const auto documents = document::read_documents(configuration);
  if (!documents) return documents.error();
  std::vector<std::string> keys;
  for (const Value& one : *documents) {
    if (one["kind"].text() != kConfiguration) continue;
    for (const Value& webhook : one["webhooks"].elements())
      keys.push_back(std::string(one["metadata"]["name"].text()).append("/").append(webhook["name"].text()));
  }
  if (keys.empty())
    return Error{"expected a MutatingWebhookConfiguration with a webhook, found none", configuration};
  return keys;
}

class Reader {
 public:
  Reader(std::string folder, std::optional<Error>& problem)
      : folder_(std::move(folder) + "/"), problem_(problem) {}

  Stranger read(const Value& row, const std::string& pointer) {
    Stranger stranger;
    Fields fields(row, pointer, problem_);
    fields.required("name", stranger.name);
    if (!is_name(stranger.name))
      fields.fail("name", "expected letters, digits and '-', found \"" + stranger.name + "\"");
    read_program(fields, stranger);
    if (!fields.has("right")) fields.fail("right", "expected true or false, found nothing");
    fields.optional("right", stranger.is_right);
    fields.required("reason", stranger.why);
    if (stranger.why.empty()) fields.fail("reason", "expected a sentence, found nothing");
    read_finds(fields, stranger);
    read_example(fields, stranger);
    fields.finish();
    return stranger;
  }
  /// Returns true if the stranger that was read last has a repaired variant.
  bool has_fixed() const { return has_fixed_; }

 private:
  bool is_there(Fields& fields, const document::Name& name, const std::string& file) {
    std::error_code ignored;
    if (files::is_regular_file(file, ignored)) return true;
    fields.fail(name, "expected a file, found none: " + file);
    return false;
  }

  void read_program(Fields& fields, Stranger& stranger) {
    std::string program;
    fields.required("program", program);
    for (const Language& language : kLanguages) {
      const auto name = between(program, language.before, language.after);
      if (!name) continue;
      stranger.tool = language.tool;
      stranger.program = folder_ + program;
      stranger.configuration = folder_ + std::string(language.before) + *name + ".yaml";
    }
    if (stranger.tool.empty()) {
      return fields.fail("program", "expected python/NAME.py, node/NAME.js or go/cmd/NAME/main.go, found \"" +
                                        program + "\"");
    }
    if (!is_there(fields, "program", stranger.program) ||
        !is_there(fields, "program", stranger.configuration) || fields.failed())
      return;
    auto webhooks = webhooks_of(stranger.configuration);
    if (!webhooks) return fields.fail("program", webhooks.error().text());
    stranger.webhooks = *std::move(webhooks);
  }

  void read_finds(Fields& fields, Stranger& stranger) {
    fields.optional("finds", stranger.finds);
    fields.optional("warned", stranger.warned);
    has_fixed_ = false;
    fields.optional("fixed", has_fixed_);
    if (stranger.is_right && has_fixed_)
      fields.fail("fixed", "expected nothing: what is right has nothing to repair");
    if (!stranger.is_right && fields.has("warned") && !has_fixed_)
      fields.fail("warned", "expected nothing: only what is right may be warned of");
    if (stranger.is_right && fields.has("finds"))
      fields.fail("finds", "expected nothing: what is right has nothing to find");
    if (!stranger.is_right && stranger.finds.empty())
      fields.fail("finds", "expected the properties that tell what is wrong, found none");
  }

  void read_example(Fields& fields, Stranger& stranger) {
    std::string example;
    fields.optional("example", example);
    if (!fields.has("example")) return;
    if (!between(example, "examples/", ".yaml"))
      return fields.fail("example", "expected examples/NAME.yaml, found \"" + example + "\"");
    stranger.example = folder_ + example;
    is_there(fields, "example", stranger.example);
  }

  const std::string folder_;
  std::optional<Error>& problem_;
  bool has_fixed_ = false;
};

Stranger fixed_variant(Stranger stranger) {
  stranger.name += "-fixed";
  stranger.argument = "fixed";
  stranger.why = "It is repaired. " + stranger.why;
  stranger.is_right = true;
  stranger.finds.clear();
  return stranger;
}

}  // namespace

Result<std::vector<Stranger>> read_strangers(const std::string& folder) {
  const std::string path = folder + "/catalog.yaml";
  const auto documents = document::read_documents(path, document::Strictness::ours);
  if (!documents) return documents.error();
  if (documents->size() != 1 || !documents->front().is_array())
    return Error{"expected one list of strangers", path};
  std::optional<Error> problem;
  Reader reader(folder, problem);
  std::vector<Stranger> strangers, fixed;
  const auto rows = documents->front().elements();
  for (std::size_t i = 0; i < rows.size() && !problem; ++i) {
    const std::string pointer = "/" + std::to_string(i);
    strangers.push_back(reader.read(rows[i], pointer));
    const std::string& name = strangers.back().name;
    if (reader.has_fixed()) fixed.push_back(fixed_variant(strangers.back()));
    if (!problem && i > 0 && !(strangers[i - 1].name < name)) {
      problem = Error{"expected a name behind \"" + strangers[i - 1].name + "\", found \"" + name + "\"",
                      pointer + "/name"};
    }
  }
  if (problem) return std::move(*problem).within(path);
  strangers.insert(strangers.end(), fixed.begin(), fixed.end());
  std::ranges::sort(strangers, {}, &Stranger::name);
  return strangers;
}

}  // namespace fixpoint::corpus
