#include "harness/apiserver/registry/sizes.h"

#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;

/// The prefix of protobuf before a value: its tag, and the bytes of its length.
std::size_t prefix_bytes(std::size_t length) {
  std::size_t bytes = 2;
  for (; length > 0x7F; length >>= 7) ++bytes;
  return bytes;
}

/// A lower bound for the bytes of a value as JSON.
std::size_t least_json_bytes(const Value& value) {
  std::size_t all = value.text().size() + 2;
  for (const Value& element : value.elements()) all += least_json_bytes(element) + 1;
  for (const auto& [key, below] : value.members()) all += key.text().size() + least_json_bytes(below) + 2;
  return all;
}

}  // namespace

std::size_t field_bytes(const Value& value) {
  if (value.is_array()) return stored_bytes(value);
  const std::size_t content = value.is_object() ? stored_bytes(value) : value.text().size();
  return prefix_bytes(content) + content;
}

std::size_t stored_bytes(const Value& object) {
  std::size_t all = 0;
  for (const auto& [key, value] : object.members()) all += field_bytes(value);
  for (const Value& element : object.elements()) all += field_bytes(element);
  return all;
}

std::optional<cases::Status> refuse_large_request(const Value& object) {
  // A text of JSON is at most six times as long as its content.
  constexpr std::size_t kEscapeMax = 6;
  if (least_json_bytes(object) * kEscapeMax <= kRequestBytesMax) return std::nullopt;
  if (document::write_json(object).size() <= kRequestBytesMax) return std::nullopt;
  return cases::Status{.code = 413,
                       .reason = "RequestEntityTooLarge",
                       .message = "Request entity too large: limit is " + std::to_string(kRequestBytesMax)};
}

std::optional<cases::Status> refuse_large_object(const Value& stored) {
  if (stored_bytes(stored) <= kStoredBytesMax) return std::nullopt;
  return cases::Status{.code = 500, .message = "etcdserver: request is too large"};
}

}  // namespace fixpoint::apiserver
