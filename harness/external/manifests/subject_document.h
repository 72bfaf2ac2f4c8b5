#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// A document of kind Subject, as its author wrote it.
struct SubjectDocument {
  runner::Subject subject = {};  ///< its name, configuration with contract, and triggers
  document::Value cluster = {}, backends = {};
  std::vector<std::string> peers = {}, code = {};
};

document::Result<SubjectDocument> read_subject_document(const document::Value& document);

}  // namespace fixpoint::external
