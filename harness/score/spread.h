#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/fields.h"
#include "harness/document/value.h"

namespace fixpoint::score {

/// The median and the largest of some figures; of an even number of figures the lower median.
struct Spread {
  std::int64_t median = 0, worst = 0;
  bool operator==(const Spread&) const = default;
};
Spread spread_of(std::vector<std::int64_t> figures);

document::Value write_spread(const Spread& spread);
void read_spread(document::Fields& fields, const document::Name& name, Spread& into);

/// Returns the number with separators: "1,234".
std::string grouped(std::int64_t number);
/// Returns both figures: "3 / 1,234", or one number if they are equal.
std::string spread_text(const Spread& spread);
/// Returns a share as text: "3 of 4".
std::string share_text(std::int64_t part, std::int64_t whole);
/// Returns milliseconds in seconds: "0.30 / 1.25".
std::string in_seconds(const Spread& milliseconds);
/// Returns milliseconds in seconds: "0.30".
std::string in_seconds(std::int64_t milliseconds);

}  // namespace fixpoint::score
