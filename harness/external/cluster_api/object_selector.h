#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// The labelSelector and fieldSelector of a request.
struct SelectorTexts {
  std::string_view labels = {}, fields = {};
};

/// Selects objects of one resource by labels and fields, as the server does.
class ObjectSelector {
 public:
  /// Selects everything.
  ObjectSelector() = default;
  /// Returns an error with the server's message for a text that is no selector, and for a field by which the
  /// resource cannot be selected.
  static document::Result<ObjectSelector> read(const SelectorTexts& texts, const ApiResource& resource);

  bool selects(const document::Value& object) const;
  /// Narrows the selection to one name.
  void require_name(std::string_view name);

 private:
  enum class Operator { exists, absent, in, not_in, greater, less };
  struct Requirement {
    std::string key;
    Operator with = Operator::exists;
    std::vector<std::string> values = {};
  };
  class LabelReader;
  static bool holds(const Requirement& requirement, const document::Value* label);
  document::Result<bool> read_fields(std::string_view text, const ApiResource& resource);

  std::vector<Requirement> labels_ = {};
  std::vector<Requirement> fields_ = {};  ///< keys are paths: "spec.nodeName"
};

}  // namespace fixpoint::external
