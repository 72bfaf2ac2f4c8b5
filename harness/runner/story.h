#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/finding.h"

namespace fixpoint::runner {

/// What each call did to the Pod, in words: "+ container proxy", "- volume data", "~ labels". What an earlier
/// call had done already stands under `again`.
std::vector<cases::StoryCall> story_of(const apiserver::Admission& admission);

/// The changes from one Pod to another in such words.
std::vector<std::string> changes(const document::Value& before, const document::Value& after);

}  // namespace fixpoint::runner
