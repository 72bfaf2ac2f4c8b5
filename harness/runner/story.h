#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/finding.h"
#include "harness/properties/property.h"

namespace fixpoint::runner {

/// What each call did to the Pod, in words: "+ container proxy", "- volume data", "~ labels". What an earlier
/// call had done already stands under `again`. The calls of a property's own come last.
std::vector<cases::StoryCall> story_of(const apiserver::Admission& admission,
                                       std::span<const properties::OwnCall> own = {});

/// The changes from one Pod to another in such words.
std::vector<std::string> changes(const document::Value& before, const document::Value& after);

}  // namespace fixpoint::runner
