#pragma once

#include <cstddef>
#include <optional>

#include "harness/cases/outcome.h"
#include "harness/document/value.h"

// How large the server lets a request and a stored object be (docs/simulator.md#6-3).
namespace fixpoint::apiserver {

/// Bytes of the body of a request (apiserver/pkg/server/config.go MaxRequestBodyBytes).
inline constexpr std::size_t kRequestBytesMax = 3 * 1024 * 1024;
/// Bytes that etcd takes in one request, with its own default (server/embed/config.go
/// DefaultMaxRequestBytes).
inline constexpr std::size_t kStoredBytesMax = 3 * 512 * 1024;

/// The answer to a request whose object, as compact JSON, is larger than the server reads; nothing else is
/// asked then.
std::optional<cases::Status> refuse_large_request(const document::Value& object);

/// The answer of the store to an object that etcd does not take.
std::optional<cases::Status> refuse_large_object(const document::Value& stored);

/// Bytes of an object in the store, as protobuf. Within a few per cent: numbers of fields and absent texts
/// are not looked up.
std::size_t stored_bytes(const document::Value& object);
/// The same of one field, or one element of a list, with what stands before it.
std::size_t field_bytes(const document::Value& value);

}  // namespace fixpoint::apiserver
