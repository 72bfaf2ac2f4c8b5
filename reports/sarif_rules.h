#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "harness/properties/pack.h"

/// The rules of a SARIF log, and its messages. What code scanning asks of a rule: a full description, a help
/// text, both of at most 1024 characters.
namespace fixpoint::reports {

/// The rule of stored findings that still fail.
inline constexpr std::string_view kRegressionRule = "regression";
/// What the properties are about, and how to write a webhook that has them.
inline constexpr std::string_view kInformationUri =
    "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/";

/// Foreign text as one plain line: line ends become blanks, and there is no `[text](target)`, which SARIF
/// reads as a link (SARIF 2.1.0, 3.11.6).
std::string sarif_line(std::string_view text);
/// A message of plain lines.
document::Value sarif_message(const std::vector<std::string>& lines);

/// The rule of a property, of a kind of observations, or of regressions.
document::Value sarif_rule(const std::string& name, const properties::Catalog& catalog);

}  // namespace fixpoint::reports
