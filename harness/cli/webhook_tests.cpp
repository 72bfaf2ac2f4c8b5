#include "harness/cli/webhook_tests.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/types/equality.h"
#include "harness/cases/case.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/cli/subject_names.h"
#include "harness/document/diff.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/patch.h"
#include "harness/document/yaml.h"
#include "harness/external/manifests/policy_folder.h"
#include "harness/runner/examine.h"
#include "reports/escape.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using conformance::Compared;
using document::Error;
using document::Result;
using document::Value;
using external::TestFiles;

constexpr std::size_t kChangesMax = 20;
constexpr std::string_view kDenied = "denied the request: ";

Result<Value> one_document(const std::string& path) {
  if (path.empty()) return Value();
  auto documents = document::read_documents(path);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1)
    return Error{"expected one document, found " + std::to_string(documents->size()), path};
  return documents->front();
}

/// Returns the lines of a text file, without those that are empty.
Result<std::vector<std::string>> lines_of(const std::string& path) {
  auto text = document::read_text_file(path);
  if (!text) return std::move(text).error();
  std::istringstream stream(*text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Returns the Case of a test: its request, and the subjects' webhooks with what their manifests bring along.
Result<cases::Case> case_of(const TestFiles& test, const std::vector<runner::Subject>& subjects,
                            const external::ExternalWebhooks& outside) {
  std::map<std::string, Value> parts;
  for (const char* part : {"request", "object", "oldObject", "namespaceObject"}) {
    auto read = one_document(test.path_of(part));
    if (!read) return std::move(read).error();
    parts[part] = *std::move(read);
  }
  Value request = parts["request"].is_object() ? parts["request"] : Value::empty_object();
  if (!parts["object"].is_null()) request.set("object", parts["object"]);
  if (!parts["oldObject"].is_null()) {
    request.set("oldObject", parts["oldObject"]);
    if (request["operation"].is_null()) request.set("operation", "UPDATE");
  }
  const std::string_view space = request["object"]["metadata"]["namespace"].text();
  if (request["namespace"].is_null() && !space.empty()) request.set("namespace", Value(space));
  Value objects = Value::empty_list();
  if (!parts["namespaceObject"].is_null()) objects.push_back(parts["namespaceObject"]);
  for (const runner::Subject& subject : subjects) {
    for (const Value& object : subject.objects)
      if (!cases::is_of_webhooks(object)) objects.push_back(object);
  }
  auto value =
      cases::read_case({{"apiVersion", cases::kApiVersion},
                        {"kind", "Case"},
                        {"request", request},
                        {"cluster", {{"objects", objects}, {"admissionPlugins", Value::empty_list()}}},
                        {"webhooks", Value::empty_object()}},
                       outside.bundled().known_injectors());
  if (!value) return std::move(value).error().within(test.name);
  value->request.managed_fields = false;  // no test is about who manages a field
  for (const runner::Subject& subject : subjects) {
    value->cluster.objects.push_back(subject.configuration);
    for (const Value& object : subject.objects)
      if (cases::is_of_webhooks(object)) value->cluster.objects.push_back(object);
    value->webhooks.insert(subject.webhooks.begin(), subject.webhooks.end());
    value->webhooks.insert(subject.validators.begin(), subject.validators.end());
  }
  return value;
}

/// The answer to a test's request.
struct Came {
  std::string refusal = {};  ///< empty: admitted
  Value object = {};         ///< after the webhooks
  Value received = {};       ///< before them
  std::vector<std::string> warnings = {};
};

Value comparable(const cases::Case& value, const Value& object) {
  const std::string_view kind = value.request.object["kind"].text();
  return kind.empty() || kind == "Pod" ? apiserver::through_internal_type(object) : object;
}

/// Returns the object that the test expects: its gold, the patched object, or what was sent; nothing if it
/// only expects a refusal.
Result<Value> expected_object(const TestFiles& test, const cases::Case& value, const Came& came) {
  if (!test.path_of("gold").empty()) {
    auto gold = one_document(test.path_of("gold"));
    if (!gold) return gold;
    cases::Request request = value.request;
    request.object = *std::move(gold);
    auto received = apiserver::receive(request, value.cluster, cases::minor_of(value.cluster));
    if (!received) return std::move(received).error().within(test.path_of("gold"));
    return received->object;
  }
  if (test.path_of("patch").empty()) return came.received;
  const auto patch = one_document(test.path_of("patch"));
  if (!patch) return patch.error();
  auto patched = document::apply_patch(came.received, *patch);
  if (!patched.ok()) return Error{patched.problem->message, test.path_of("patch")};
  return patched.document;
}

void compare_objects(const cases::Case& value, const Value& expected, const Value& found,
                     std::vector<std::string>& differences) {
  const Value a = comparable(value, expected), b = comparable(value, found);
  if (apiserver::semantically_equal(a, b)) return;
  const auto shown = [](const std::optional<Value>& one) {
    return one ? document::write_yaml_line(*one) : std::string("nothing");
  };
  for (const document::Change& change : document::list_changes(a, b, kChangesMax))
    differences.push_back(change.pointer + ": expected " + shown(change.before) + ", found " +
                          shown(change.after));
}

Result<Compared> compare(const TestFiles& test, const cases::Case& value, const Came& came) {
  Compared compared;
  auto& differences = compared.differences;
  const std::string message = test.path_of("message");
  if (!message.empty()) {
    const auto expected = lines_of(message);
    if (!expected) return expected.error();
    const std::string text = expected->empty() ? "" : expected->front();
    if (came.refusal.empty())
      differences.push_back("expected a refusal, found none");
    else if (came.refusal != text && !came.refusal.ends_with(": " + text))
      differences.push_back("refusal: expected \"" + text + "\", found \"" + came.refusal + "\"");
  } else if (!came.refusal.empty()) {
    differences.push_back("expected it to be admitted, found a refusal: " + came.refusal);
  } else {
    const auto expected = expected_object(test, value, came);
    if (!expected) return expected.error();
    compare_objects(value, *expected, came.object, differences);
  }
  if (!test.path_of("warnings").empty()) {
    auto expected = lines_of(test.path_of("warnings"));
    if (!expected) return expected.error();
    std::vector<std::string> found = came.warnings;
    std::sort(expected->begin(), expected->end());
    std::sort(found.begin(), found.end());
    if (*expected != found)
      differences.push_back("warnings: expected " + document::write_yaml_line(document::list_of(*expected)) +
                            ", found " + document::write_yaml_line(document::list_of(found)));
  }
  if (!differences.empty()) compared.answer = Compared::Answer::disagreed;
  return compared;
}

/// Writes what came as what is expected; of an object without the server's defaults if they can be left out.
std::optional<Error> update(const std::string& folder, const TestFiles& test, const cases::Case& value,
                            const Came& came) {
  std::error_code problem;
  for (const char* part : {"gold", "patch", "message", "warnings"})
    if (const std::string path = test.path_of(part); !path.empty()) files::remove(path, problem);
  const std::string base = folder + "/tests/" + test.name;
  if (!came.warnings.empty()) {
    std::string lines;
    for (const std::string& warning : came.warnings) lines += warning + "\n";
    if (auto lost = document::write_file(base + ".warnings.txt", lines)) return lost;
  }
  if (!came.refusal.empty()) {
    const auto at = came.refusal.find(kDenied);
    const std::string own = at == std::string::npos ? came.refusal : came.refusal.substr(at + kDenied.size());
    return document::write_file(base + ".message.txt", own + "\n");
  }
  const Value patch = document::diff(came.received, came.object);
  if (patch.empty()) return std::nullopt;
  const auto sent = document::apply_patch(value.request.object, patch);
  return document::write_file(base + ".gold.yaml",
                              document::write_yaml(sent.ok() ? sent.document : came.object));
}

Result<Came> run_test(const cases::Case& value, const external::ExternalWebhooks& outside) {
  const auto prepared = runner::prepare(value, outside.resolve(), outside.limits(), runner::kWithoutWarnings);
  if (!prepared) return prepared.error();
  const apiserver::Admission& admission = prepared->admission;
  Came came{.object = admission.object, .received = admission.received, .warnings = admission.warnings};
  if (admission.status) came.refusal = admission.status->message;
  return came;
}

}  // namespace

bool is_webhook_test_folder(const std::string& path) {
  std::error_code problem;
  return files::is_directory(files::path(path) / "tests", problem) && !external::is_policy_folder(path);
}

Result<std::vector<TestedWebhook>> check_webhook_tests(const std::string& folder,
                                                       const external::ExternalWebhooks& outside,
                                                       bool updates) {
  const auto subjects = find_subjects({folder}, outside);
  if (!subjects) return subjects.error();
  const external::PolicyFolder tests = external::tests_in(folder + "/tests");
  std::vector<TestedWebhook> all;
  for (const TestFiles& test : tests.tests) {
    const auto value = case_of(test, subjects->chains.subjects, outside);
    if (!value) return value.error();
    TestedWebhook& one = all.emplace_back(TestedWebhook{.name = folder + "/tests/" + test.name});
    const auto came = run_test(*value, outside);
    if (!came) {
      one.compared = conformance::unsupported(came.error().text());
    } else if (updates) {
      if (auto lost = update(folder, test, *value, *came)) return *std::move(lost);
    } else {
      auto compared = compare(test, *value, *came);
      if (!compared) return std::move(compared).error();
      one.compared = *std::move(compared);
    }
  }
  return all;
}

std::string junit_of_tests(const std::vector<TestedWebhook>& tests) {
  std::size_t failures = 0;
  std::string cases;
  for (const TestedWebhook& test : tests) {
    const bool fails = test.compared.answer != Compared::Answer::agreed;
    failures += fails ? 1 : 0;
    cases += "  <testcase classname=\"fixpoint.conform\" name=\"" + reports::xml_text(test.name) + "\"";
    if (!fails) {
      cases += "/>\n";
      continue;
    }
    std::string lines;
    for (const std::string& difference : test.compared.differences)
      lines += reports::xml_text(difference) + "\n";
    cases += ">\n    <failure message=\"what came is not what is expected\">" + lines +
             "</failure>\n  </testcase>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"conform\" tests=\"" +
         std::to_string(tests.size()) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"0\">\n" +
         cases + "</testsuite>\n";
}

}  // namespace fixpoint::cli
