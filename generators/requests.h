#pragma once

#include <array>
#include <string>
#include <string_view>

#include "harness/apiserver/types/field.h"
#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

inline constexpr std::array<std::string_view, 7> kRequestKinds{"default",  "decode", "patch", "warn",
                                                               "validate", "admit",  "cel"};

/// Draws a question to a recorder: a line of vectors (docs/formats.md#vectors) without its expectations. It
/// uses only features that both the recorder and the simulator have: Pods that decode (except for decode,
/// default and patch), updates within one namespace, script webhooks. Equal decisions give equal lines.
document::Value draw_request(std::string_view kind, const std::string& id, runner::Choices& choices,
                             int minor = apiserver::kNewestMinor);

/// Draws a Case of script webhooks that help, hinder and damage one another.
cases::Case draw_adversarial_case(runner::Choices& choices, int minor);

/// Adds what judges the final Pod so narrowly that it is often refused, and plugins of managed clusters.
void put_strict_judges(cases::Case& value, runner::Choices& choices);

/// Draws a Pod with up to `edits_max` careless changes; with `decodes` one that the server can decode.
document::Value draw_edited_pod(runner::Choices& choices, int edits_max, bool decodes, int minor);

/// Draws a JSON Patch for the document: operations that apply, that nearly apply, and that are invalid.
document::Value draw_patch(const document::Value& document, runner::Choices& choices, int minor);

}  // namespace fixpoint::generators
