#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "harness/properties/packs/pack.h"

/// The rules of a SARIF log, and its messages. Code scanning requires each rule to have a full description
/// and a help text, both of at most 1024 characters.
namespace fixpoint::reports {

/// The rule of stored findings that still fail.
inline constexpr std::string_view kRegressionRule = "regression";
/// The page about the behaviour that the properties check, and about how to write such a webhook.
inline constexpr std::string_view kInformationUri =
    "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/";

/// Returns foreign text as one plain line: line ends become blanks, and `[text](target)`, which SARIF reads
/// as a link, is broken up (SARIF 2.1.0, 3.11.6).
std::string sarif_line(std::string_view text);
/// Returns a message of plain lines.
document::Value sarif_message(const std::vector<std::string>& lines);

/// Returns the rule of a property, of a kind of observations, or of regressions.
document::Value sarif_rule(const std::string& name, const properties::Catalog& catalog);

}  // namespace fixpoint::reports
