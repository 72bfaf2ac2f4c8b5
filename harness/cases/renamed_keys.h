#pragma once

#include "harness/document/renamed_key.h"

namespace fixpoint::cases {

// The renamed keys of findings, events, reports and scoreboards (docs/formats.md#renamed-keys).
inline constexpr document::RenamedKey kMessage{"message", "because"}, kEffect{"effect", "did"},
    kReason{"reason", "why"}, kAllProperties{"allProperties", "fully_asked"}, kChecked{"checked", "asked"},
    kCasesWithoutEffect{"casesWithoutEffect", "untouched"};
/// The renamed key kAllProperties as a scoreboard spells it.
inline constexpr document::RenamedKey kAllPropertiesInBoard{"allProperties", "fullyAsked"};

}  // namespace fixpoint::cases
