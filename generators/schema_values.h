#pragma once

#include "harness/cases/kind.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::generators {

/// One optional member in `optional_one_in` is drawn, below the first levels fewer. `depth_max` bounds
/// recursion.
struct SchemaDraw {
  int depth_max = 8;
  int optional_one_in = 2;
  /// Texts that matter to the webhook under test are drawn where the schema leaves them open.
  const runner::Vocabulary* words = nullptr;
};

/// Draws a value for an openAPIV3Schema: required members always, enums, bounds, formats, patterns
/// (learning/pattern_text.h) and keys of lists respected, as far as a generator can. What describes a part of
/// a Pod is drawn as one (pod_parts.h).
document::Value draw_schema_value(runner::Choices& choices, const document::Value& schema,
                                  const SchemaDraw& how = {});

/// Adds members to an object until the schema and its rules take it, in a few attempts, each sparser than the
/// one before; one status in `status_one_in` is drawn. Returns false if even the sparsest is refused.
bool fill_by_schema(runner::Choices& choices, document::Value& object, const document::Value& schema,
                    int minor, const runner::Vocabulary* words = nullptr, int status_one_in = 8);

/// Draws an object of the kind so; metadata have a name alone.
document::Value draw_valid_object(runner::Choices& choices, const cases::Kind& kind, int minor,
                                  const runner::Vocabulary* words = nullptr);

}  // namespace fixpoint::generators
