#include "harness/external/cluster_api/protobuf_body.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/micro_time.h"

namespace fixpoint::external {

namespace {

using document::Value;

/// A field of a message: a number, or the bytes of a text or of a message.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes = {};
};

/// Reads the fields of a message in turn.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  /// Reads the next field; empty at the end and at anything that is no field.
  std::optional<Field> next() {
    constexpr std::uint64_t kNumber = 0, kEight = 1, kBytes = 2, kFour = 5;
    const auto tag = varint();
    if (!tag) return std::nullopt;
    Field field{.number = *tag >> 3};
    switch (*tag & 7) {
      case kNumber: {
        const auto value = varint();
        if (!value) return std::nullopt;
        field.value = *value;
        return field;
      }
      case kBytes: {
        const auto size = varint();
        if (!size || *size > rest_.size()) return std::nullopt;
        field.bytes = rest_.substr(0, *size);
        rest_.remove_prefix(*size);
        return field;
      }
      case kEight:
      case kFour: {
        const std::size_t size = (*tag & 7) == kEight ? 8 : 4;
        if (rest_.size() < size) return std::nullopt;
        rest_.remove_prefix(size);
        return field;
      }
      default:
        return std::nullopt;
    }
  }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

/// The last field of that number, as protobuf merges scalars; its bytes are empty if there is none.
Field field_of(std::string_view message, std::uint64_t number) {
  Field found;
  MessageReader reader(message);
  while (const auto field = reader.next()) {
    if (field->number == number) found = *field;
  }
  return found;
}

enum class Type { text, number, time };
struct FieldName {
  std::uint64_t number;
  document::Name name;
  Type type;
};
constexpr auto kMetadata = std::to_array<FieldName>({{1, "name", Type::text},
                                                     {2, "generateName", Type::text},
                                                     {3, "namespace", Type::text},
                                                     {5, "uid", Type::text},
                                                     {6, "resourceVersion", Type::text}});
constexpr auto kLeaseSpec = std::to_array<FieldName>({{1, "holderIdentity", Type::text},
                                                      {2, "leaseDurationSeconds", Type::number},
                                                      {3, "acquireTime", Type::time},
                                                      {4, "renewTime", Type::time},
                                                      {5, "leaseTransitions", Type::number},
                                                      {6, "strategy", Type::text},
                                                      {7, "preferredHolder", Type::text}});
constexpr auto kTokenSpec = std::to_array<FieldName>({{1, "token", Type::text}});

Value time_of(std::string_view message) {
  return micro_time(static_cast<std::int64_t>(field_of(message, 1).value),
                    static_cast<std::int64_t>(field_of(message, 2).value % 1'000'000'000));
}

Value value_of(const Field& field, Type type) {
  if (type == Type::text) return well_formed(field.bytes);
  return type == Type::number ? Value(static_cast<std::int64_t>(field.value)) : time_of(field.bytes);
}

Value message_of(std::string_view bytes, std::span<const FieldName> names) {
  Value message = Value::empty_object();
  MessageReader reader(bytes);
  while (const auto field = reader.next()) {
    for (const FieldName& row : names) {
      const bool is_set = field->number == row.number && !(row.type == Type::text && field->bytes.empty());
      if (is_set) message.set(row.name, value_of(*field, row.type));
    }
  }
  return message;
}

}  // namespace

std::optional<Value> read_protobuf_body(std::string_view bytes) {
  constexpr std::string_view kMagic("k8s\0", 4);
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  const std::string_view envelope = bytes.substr(kMagic.size());
  const std::string_view type = field_of(envelope, 1).bytes, raw = field_of(envelope, 2).bytes;
  const std::string_view kind = field_of(type, 2).bytes;
  Value object{{"apiVersion", well_formed(field_of(type, 1).bytes)}, {"kind", well_formed(kind)}};
  if (kind == "DeleteOptions") {
    object.set("dryRun", Value::list({Value(well_formed(field_of(raw, 5).bytes))}));
    return object;
  }
  object.set("metadata", message_of(field_of(raw, 1).bytes, kMetadata));
  const std::string_view spec = field_of(raw, 2).bytes;
  if (kind == "Lease") object.set("spec", message_of(spec, kLeaseSpec));
  if (kind == "TokenReview") object.set("spec", message_of(spec, kTokenSpec));
  return object;
}

}  // namespace fixpoint::external
