#include "harness/score/spread.h"

#include <algorithm>
#include <cstdio>

namespace fixpoint::score {

Spread spread_of(std::vector<std::int64_t> figures) {
  if (figures.empty()) return {};
  std::sort(figures.begin(), figures.end());
  return {figures[(figures.size() - 1) / 2], figures.back()};
}

document::Value write_spread(const Spread& spread) {
  return {{"median", spread.median}, {"worst", spread.worst}};
}

void read_spread(document::Fields& fields, const document::Name& name, Spread& into) {
  fields.object(name, [&](document::Fields& spread) {
    spread.optional("median", into.median);
    spread.optional("worst", into.worst);
    spread.finish();
  });
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string spread_text(const Spread& spread) {
  return grouped(spread.median) + (spread.median == spread.worst ? "" : " / " + grouped(spread.worst));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string in_seconds(std::int64_t milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(milliseconds) / 1000);
  return text;
}

std::string in_seconds(const Spread& milliseconds) {
  return in_seconds(milliseconds.median) + " / " + in_seconds(milliseconds.worst);
}

}  // namespace fixpoint::score
