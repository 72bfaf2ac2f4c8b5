#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::properties {

/// The results of a webhook for one Pod with a setting of the user's and without it.
struct SettingResults {
  const document::Value& sent;
  const document::Value& with;
  const document::Value& without;
};

/// A setting that reaches one injected container but not another that also has it.
struct SplitSetting {
  std::string name;               ///< the variable LOG_LEVEL
  std::string reached, left_out;  ///< the names of the containers
  std::string kept;               ///< the value in the other container
};

/// Returns the first one: a variable, an argument or the tag of an image that is the same in both containers
/// without the setting, and of which one becomes `value` with it. A setting whose key names the container is
/// meant for it alone.
std::optional<SplitSetting> split_setting(const SettingResults& results, std::string_view value,
                                          std::string_view key);

}  // namespace fixpoint::properties
