#pragma once

#include <fixpoint/cases.h>
#include <fixpoint/command_sequences.h>
#include <fixpoint/json_details.h>
#include <fixpoint/object_handler.h>
#include <fixpoint/stored_findings.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Handlers, Cases and reports as nlohmann::json. Link fixpoint::nlohmann.
///
/// nlohmann::json keeps the value of a number, not its text, and one of several members with the same name.
/// conversion_losses() names what that changes; a value that is only passed through a handler of this header
/// is never part of its patch.
///
///     const fixpoint::Webhook webhook(fixpoint::on_json_object([](nlohmann::json pod) {
///       pod["metadata"]["labels"]["seen"] = "yes";
///       return pod;
///     }));
namespace fixpoint {

/// Returns a line for each part of the JSON text that a conversion to nlohmann::json does not keep: `/spec/x:
/// the number 1.50 becomes 1.5`. Empty if dump() gives an equal document. Throws std::invalid_argument if the
/// text is no JSON.
inline std::vector<std::string> conversion_losses(const std::string& text) {
  std::vector<std::string> losses;
  for (const JsonDetail& detail : json_details(text)) {
    if (detail.number.empty()) {
      losses.push_back(detail.pointer + ": the member occurs again, and the last one is kept");
      continue;
    }
    std::string written;
    try {
      written = nlohmann::json::parse(detail.number).dump();
    } catch (const nlohmann::json::exception&) {
      written = "an error: it is out of range";
    }
    if (written != detail.number)
      losses.push_back(detail.pointer + ": the number " + detail.number + " becomes " + written);
  }
  return losses;
}

/// A webhook as a function from object to object; fixpoint computes the patch and writes the AdmissionReview.
/// It may throw Denied; any other exception counts as a failed call. A number or a duplicate member that the
/// conversion changes, and the handler leaves alone, stays as the request has it.
inline ReviewHandler on_json_object(std::function<nlohmann::json(const nlohmann::json& object)> handler) {
  return [handler = std::move(handler)](const std::string& review) {
    const auto before = nlohmann::json::parse(object_of_review(review));
    try {
      const nlohmann::json after = handler(before);
      if (!after.is_object()) throw std::invalid_argument("the returned object: expected an object");
      return allow(review, json_patch(before.dump(), after.dump()));
    } catch (const Denied& denied) {
      return deny(review, denied.what(), denied.code);
    }
  };
}

/// A webhook as a function from AdmissionReview to AdmissionReview.
inline ReviewHandler on_json_review(std::function<nlohmann::json(const nlohmann::json& review)> handler) {
  return [handler = std::move(handler)](const std::string& review) {
    return handler(nlohmann::json::parse(review)).dump();
  };
}

/// A reconciler as a function of JSON values (ReconcileHandler).
inline ReconcileHandler on_json_reconcile(
    std::function<nlohmann::json(const nlohmann::json& stored, const nlohmann::json& component)> handler) {
  return [handler = std::move(handler)](const std::string& stored, const std::string& component) {
    return handler(nlohmann::json::parse(stored), nlohmann::json::parse(component)).dump();
  };
}

/// The conversions that nlohmann::json finds by itself: `nlohmann::json document = value;`, and back by
/// get(). Those of a Case and of a Sequence read what they write, less conversion_losses(value.text()).
inline void to_json(nlohmann::json& json, const Case& value) { json = nlohmann::json::parse(value.text()); }
inline void from_json(const nlohmann::json& json, Case& value) { value = Case::read(json.dump()); }
/// The document of a part, as PartOfCase::text().
template <Part kPart>
void to_json(nlohmann::json& json, const PartOfCase<kPart>& value) {
  json = nlohmann::json::parse(value.text());
}

/// A finding is a Finding (docs/formats.md#finding).
inline void to_json(nlohmann::json& json, const CheckFinding& finding) {
  json = nlohmann::json::parse(finding.document);
}
inline void from_json(const nlohmann::json& json, CheckFinding& finding) {
  finding = read_finding(json.dump());
}

/// The members of a report are those of CheckReport in lowerCamelCase.
inline void to_json(nlohmann::json& json, const CheckReport& report) {
  json = {{"cases", report.cases},      {"acted", report.acted},     {"failedGates", report.failed_gates},
          {"decided", report.decided},  {"problem", report.problem}, {"text", report.text},
          {"findings", report.findings}};
}
inline void from_json(const nlohmann::json& json, CheckReport& report) {
  report = {.findings = json.at("findings").get<std::vector<CheckFinding>>(),
            .failed_gates = json.at("failedGates").get<std::vector<std::string>>(),
            .decided = json.at("decided").get<decltype(report.decided)>(),
            .cases = json.at("cases").get<std::uint64_t>(),
            .acted = json.at("acted").get<std::uint64_t>(),
            .problem = json.at("problem").get<std::string>(),
            .text = json.at("text").get<std::string>()};
}

/// The API server's answer is an Outcome (docs/formats.md#outcome).
inline void to_json(nlohmann::json& json, const Admitted& admitted) {
  json = nlohmann::json::parse(admitted.document);
}

}  // namespace fixpoint

/// A Sequence has no default value, so it is converted here.
template <>
struct nlohmann::adl_serializer<fixpoint::Sequence> {
  static void to_json(nlohmann::json& json, const fixpoint::Sequence& value) {
    json = nlohmann::json::parse(value.text());
  }
  static fixpoint::Sequence from_json(const nlohmann::json& json) {
    return fixpoint::Sequence::read(json.dump());
  }
};
