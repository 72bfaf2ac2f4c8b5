#include "harness/apiserver/registry.h"

namespace fixpoint::apiserver {

Stored store(const cases::Request&, const document::Value& pod, const document::Value&, int) {
  return {.object = pod};
}

document::Result<std::vector<cases::FieldError>> validate_as_stored(const document::Value&, const document::Value&,
                                                                    const std::string&, int) {
  return document::Error{"unsupported"};
}

document::Result<std::vector<std::string>> warnings_as_created(const document::Value&, int) {
  return document::Error{"unsupported"};
}

}  // namespace fixpoint::apiserver
