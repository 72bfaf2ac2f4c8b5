#pragma once

#include <fixpoint/fixpoint.h>

#include <functional>
#include <stdexcept>
#include <string>

/// Webhooks as functions from object to object: fixpoint reads the AdmissionReview, computes the patch and
/// writes the answer. This header needs the standard library alone.
namespace fixpoint {

/// Takes the request's object as JSON and returns it as it should be, also as JSON; the same text for no
/// change. It may throw Denied to refuse the object; any other exception counts as a failed call.
using ObjectHandler = std::function<std::string(const std::string& object)>;

/// Thrown by an ObjectHandler to refuse the object.
struct Denied : std::runtime_error {
  /// `status` is the HTTP code that the client gets.
  explicit Denied(const std::string& message, int status = 403) : std::runtime_error(message), code(status) {}
  int code;
};

/// Returns the webhook that changes Pods, or objects of any other kind, as `handler` does. It answers with
/// the JSON Patch from the request's object to what the handler returns. A text that is no JSON object counts
/// as a failed call.
///
///     const auto report = fixpoint::check(
///         fixpoint::on_object([](const std::string& pod) { return inject(pod); }), configuration);
ReviewHandler on_object(ObjectHandler handler);

/// The parts that on_object is made of, for a handler of whole AdmissionReviews.

/// Returns request.object of an AdmissionReview, as compact JSON. Throws std::invalid_argument if the text is
/// no AdmissionReview with a request, as the next two do.
std::string object_of_review(const std::string& review);
/// Returns the answer that allows the request, with this JSON Patch; without one if it has no operations.
std::string allow(const std::string& review, const std::string& patch = "[]");
/// Returns the answer that refuses the request.
std::string deny(const std::string& review, const std::string& message, int code = 403);
/// Returns the JSON Patch from one JSON document to the other: add, remove and replace alone, lists compared
/// by position, numbers by their text. Throws std::invalid_argument if a text is no JSON.
std::string json_patch(const std::string& before, const std::string& after);

}  // namespace fixpoint
