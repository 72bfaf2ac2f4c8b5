#include "harness/conformance/vectors.h"

#include <array>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/custom/definition_checks.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/patch_library.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/cases/minors.h"
#include "harness/cases/recorded_texts.h"
#include "harness/conformance/sequence_vectors.h"
#include "harness/conformance/vectors_cel.h"
#include "harness/conformance/vectors_kserve.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/printable.h"
#include "injectors/bundled.h"

namespace fixpoint::conformance {

using document::Result;
using document::Value;

namespace {

Compared compare(const Value& expected, const Value& found, const char* what) {
  if (expected == found) return {};
  return {Compared::Answer::disagreed,
          {std::string(what) + ": expected " + write_json(sorted(expected)) + ", found " +
           write_json(sorted(found))}};
}

/// Returns the minor that a line was recorded from: kRecordedMinor if it names none.
int minor_of_line(const Value& line) {
  const auto version = line["version"].text();
  if (!version.starts_with("1.")) return cases::kRecordedMinor;
  return static_cast<int>(Value::number(version.substr(2)).integer().value_or(0));
}

/// Compares the server's text with ours; one that was not recorded agrees.
Compared compare_text(const Value& recorded, std::string_view found, const char* what, int minor) {
  if (minor < kTextsSince || cases::agrees_with_recorded(recorded.text(), found)) return {};
  return compare(recorded, Value(found), what);
}

/// Compares validation errors: type and field, and the message where it was recorded.
Compared compare_errors(const Value& expected, const std::vector<cases::FieldError>& found, int minor) {
  const auto recorded = expected.elements();
  std::vector<Value> errors;
  for (const cases::FieldError& error : found) {
    Value& one = errors.emplace_back(Value{{"type", error.type}, {"field", error.field}});
    if (errors.size() > recorded.size()) continue;
    const Value& message = recorded[errors.size() - 1]["message"];
    if (message.is_null()) continue;
    const bool agrees = minor < kTextsSince || cases::agrees_with_recorded(message.text(), error.message);
    one.set("message", agrees ? message : Value(error.message));
  }
  return compare(expected, Value(std::move(errors)), "errors");
}

/// Compares with `out`, or with `error`, the server's text.
/// Go's decoder goes on behind a value of a wrong type, and names a quantity or a time that it cannot read
/// there; the simulator names the first of the two.
bool names_another_value(std::string_view recorded, std::string_view found) {
  constexpr std::string_view kWrongType = "json: cannot unmarshal";
  return found.starts_with(kWrongType) && !recorded.starts_with(kWrongType);
}

Compared compare_result(const Value& line, const Result<Value>& found, int minor) {
  if (!line["error"].is_null() && !found.ok() &&
      names_another_value(line["error"].text(), found.error().message))
    return {};
  if (!line["error"].is_null()) {
    return found.ok() ? compare(line["error"], *found, "error")
                      : compare_text(line["error"], found.error().message, "error", minor);
  }
  if (!found) return compare(line["out"], Value(found.error().text()), "out");
  return compare(line["out"], *found, "out");
}

Compared check_default(const Value& line, int minor) {
  return compare_result(line, apiserver::defaulted_pod(line["in"], minor), minor);
}
Compared check_decode(const Value& line, int minor) {
  return compare_result(line, apiserver::received_pod(line["in"], minor), minor);
}

Compared check_patch(const Value& line, int minor) {
  if (const auto problem = document::decoding_problem(line["patch"])) {
    const Compared text = compare_text(line["message"], problem->message, "message", minor);
    return text.differences.empty() ? compare(line["error"], Value("syntax"), "error") : text;
  }
  const auto patched = document::apply_patch(line["doc"], line["patch"], {}, apiserver::patch_library(minor));
  if (!patched.ok()) {
    const Compared text = compare_text(line["message"], patched.problem->message, "message", minor);
    return text.differences.empty() ? compare(line["error"], Value("apply"), "error") : text;
  }
  if (!line["error"].is_null()) return compare(line["error"], patched.document, "error");
  return compare(line["out"], patched.document, "out");
}

/// Errors of decoding differ in words, apart from those of strict decoding.
Compared compare_stored(const Value& line, const Result<std::vector<cases::FieldError>>& found, int minor) {
  constexpr std::string_view kStrict = "strict decoding error";
  if (!found) {
    const std::string_view expected = line["error"].text();
    if (!expected.empty() && !expected.starts_with(kStrict) && !found.error().message.starts_with(kStrict))
      return {};
    return compare(line["error"], Value(found.error().message), "error");
  }
  if (!line["error"].is_null()) return compare(line["error"], Value(), "error");
  return compare_errors(line["errors"], *found, minor);
}

Compared check_configuration(const Value& line, int minor) {
  return compare_stored(line, apiserver::validate_configuration(line["in"], minor), minor);
}

/// Returns the recorded line with the words of ours for values that the server prints as structs of its own
/// (`Invalid value: [{"Name":"v1",…}]: must …`), where the rest agrees: nobody reads those.
Value without_structs(Value line, const std::vector<cases::FieldError>& found) {
  constexpr std::string_view kInvalid = "Invalid value: ";
  Value& errors = line.edit("errors");
  for (std::size_t i = 0; i < errors.size() && i < found.size(); ++i) {
    const std::string recorded(errors.at(i)["message"].text());
    if (!found[i].message.starts_with(kInvalid) || !recorded.starts_with(kInvalid)) continue;
    const std::string_view value = std::string_view(recorded).substr(kInvalid.size());
    const bool is_struct =
        value.starts_with("[{\"Name\"") || value.starts_with("{\"ID\"") || value.starts_with("{\"Rule\"");
    if (is_struct && recorded.ends_with(": " + found[i].message.substr(kInvalid.size())))
      errors.edit(i).set("message", found[i].message);
  }
  return line;
}

Compared check_definition(const Value& line, int minor) {
  const auto found = apiserver::custom::validate_definition(line["in"], minor);
  return compare_stored(found ? without_structs(line, *found) : line, found, minor);
}

Compared check_policy(const Value& line, int minor) {
  return compare_stored(line, apiserver::validate_policy(line["in"], minor), minor);
}

Compared check_validate(const Value& line, int minor) {
  const auto found = apiserver::errors_of_request(line["operation"].text(), line["pod"], line["old"], minor);
  if (!found) return compare(line["errors"], Value(found.error().text()), "errors");
  return compare_errors(line["errors"], *found, minor);
}

Compared check_warn(const Value& line, int minor) {
  const auto found = apiserver::warnings_of_request(line["pod"], minor);
  if (!found) return compare(line["warnings"], Value(found.error().text()), "warnings");
  return compare(line["warnings"], Value(std::vector<Value>(found->begin(), found->end())), "warnings");
}

void forget_texts(cases::Outcome& outcome) {
  if (outcome.status) outcome.status->message.clear();
  for (cases::FieldError& error : outcome.invalid) error.message.clear();
}

Compared check_admit(const Value& line, int) {
  const auto value = cases::read_case(line["case"], injectors::bundled().known_injectors());
  if (!value) return unsupported(value.error().text());
  auto expected = cases::read_outcome(line["outcome"]);
  if (!expected) return unsupported(expected.error().text());
  if (apiserver::minor_of(value->cluster) < kTextsSince) forget_texts(*expected);
  const auto handlers = webhooks::handlers(*value, injectors::bundled().resolve);
  if (!handlers) return unsupported(handlers.error().text());
  const auto admission = apiserver::admit(*value, webhooks::with_all_faults(*handlers, value->faults));
  if (!admission) return unsupported(admission.error().text());
  auto differences = cases::differences(*expected, apiserver::outcome_of(*value, *admission));
  if (differences.empty()) return {};
  return {Compared::Answer::disagreed, std::move(differences)};
}

struct Kind {
  std::string_view name;
  Compared (*check)(const Value& line, int minor);
};
constexpr std::array<Kind, 14> kKinds{{{"default", check_default},
                                       {"decode", check_decode},
                                       {"patch", check_patch},
                                       {"validate", check_validate},
                                       {"warn", check_warn},
                                       {"admit", check_admit},
                                       {"configuration", check_configuration},
                                       {"definition", check_definition},
                                       {"policy", check_policy},
                                       {"cel", check_cel},
                                       {"live", check_live},
                                       {"live-sequence", check_live_sequence},
                                       {"kserve", check_kserve},
                                       {"kserve-hpa", check_sequence}}};

}  // namespace

Compared check_line(const Value& line) {
  const int minor = minor_of_line(line);
  if (minor < apiserver::kOldestMinor || minor > apiserver::kNewestMinor) {
    return unsupported("version " + std::string(line["version"].text()));
  }
  for (const Kind& kind : kKinds) {
    if (kind.name == line["kind"].text()) return kind.check(line, minor);
  }
  return unsupported("kind " + std::string(line["kind"].text()));
}

void Counts::add(Compared::Answer answer) {
  agreed += answer == Compared::Answer::agreed ? 1 : 0;
  disagreed += answer == Compared::Answer::disagreed ? 1 : 0;
  unsupported += answer == Compared::Answer::unsupported ? 1 : 0;
}

void Counts::add(const Counts& other) {
  agreed += other.agreed;
  disagreed += other.disagreed;
  unsupported += other.unsupported;
}

std::string Counts::text() const {
  return std::to_string(agreed) + " agreed, " + std::to_string(disagreed) + " disagreed, " +
         std::to_string(unsupported) + " unsupported";
}

std::string differences_text(const Value& line, const Compared& compared) {
  std::string text = std::string(line["kind"].text()) + " " + document::printable(line["id"].text()) +
                     (compared.answer == Compared::Answer::unsupported ? " is unsupported\n" : "\n");
  for (const std::string& difference : compared.differences)
    text += "  " + document::printable(difference) + "\n";
  return text;
}

}  // namespace fixpoint::conformance
