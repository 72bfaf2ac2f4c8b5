#include "harness/apiserver/types/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace fixpoint::apiserver {
namespace {

std::string written(std::string_view text) {
  std::string buffer;
  const auto canonical = canonical_quantity(text, buffer);
  return canonical ? std::string(*canonical) : "refused";
}

TEST(Quantity, IsWrittenAsTheServerWritesIt) {
  constexpr std::string_view kCases[][2] = {
      {"1000", "1k"},       {"1000m", "1"},
      {"0.125", "125m"},    {"0.5Gi", "512Mi"},
      {"1e7", "10e6"},      {"01", "01"},
      {"+1", "+1"},         {"5.", "5."},
      {"1.234", "1.234"},   {"1e+3", "1e+3"},
      {"007Mi", "007Mi"},   {".", "0"},
      {"m", "0"},           {"-0", "0"},
      {"1e-20", "1e-9"},    {"1K", "refused"},
      {"", "refused"},      {"1.5.1", "refused"},
      {"1e", "refused"},    {"1024Mi", "1Gi"},
      {"1536Mi", "1536Mi"}, {"8Ei", "9223372036854775807"},
  };
  for (const auto& [text, wanted] : kCases) EXPECT_EQ(written(text), wanted) << text;
}

/// A quantity's text as people and machines write it.
rc::Gen<std::string> any_quantity() {
  const auto digits = rc::gen::container<std::string>(rc::gen::inRange('0', static_cast<char>('9' + 1)));
  const auto suffix = rc::gen::element<std::string>("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki",
                                                    "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-2", "e+9");
  return rc::gen::map(rc::gen::tuple(rc::gen::element<std::string>("", "-", "+"), digits,
                                     rc::gen::arbitrary<bool>(), digits, suffix),
                      [](const auto& parts) {
                        const auto& [sign, whole, has_point, fraction, end] = parts;
                        return sign + whole + (has_point ? "." + fraction : "") + end;
                      });
}

RC_GTEST_PROP(Quantity, WritingTwiceChangesNothing, ()) {
  const std::string once = written(*any_quantity());
  if (once != "refused") RC_ASSERT(written(once) == once);
}

RC_GTEST_PROP(Quantity, WritingKeepsTheValue, ()) {
  const std::string text = *any_quantity();
  const auto sent = Quantity::parse(text);
  if (!sent) RC_DISCARD("refused");
  // An amount too great for any suffix loses its zeros, in the server too.
  const Quantity limit = *Quantity::parse("999E"), least = *Quantity::parse("-999E");
  RC_PRE(compare(*sent, limit) < 0 && compare(*sent, least) > 0);
  RC_ASSERT(*Quantity::parse(written(text)) == *sent);
}

TEST(Quantity, WhatDoesNotFitIsScaledAsTheServerDoes) {
  const auto scaled = [](std::string_view text, std::int32_t scale) {
    return Quantity::parse(text)->scaled(scale);
  };
  EXPECT_EQ(scaled("1e19", -3), 0) << "ten times too often by single steps";
  EXPECT_EQ(scaled("1E", -3), 0);
  EXPECT_EQ(scaled("18446744073709552", -3), 384) << "by a thousand it wraps";
  EXPECT_EQ(scaled("1e15", -3), 1'000'000'000'000'000'000);
  EXPECT_EQ(scaled("1.0001", -3), 1001) << "away from zero";
}

RC_GTEST_PROP(Quantity, OrderIsThatOfNumbers, (std::int32_t a, std::int32_t b)) {
  const Quantity left = *Quantity::parse(std::to_string(a) + "m"),
                 right = *Quantity::parse(std::to_string(b) + "m");
  RC_ASSERT(compare(left, right) == int{a > b} - int{a < b});
  Quantity sum = left;
  sum += right;
  RC_ASSERT(sum.scaled(-3) == std::int64_t{a} + b);
}

}  // namespace
}  // namespace fixpoint::apiserver
