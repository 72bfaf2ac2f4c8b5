#include <charconv>
#include <limits>
#include <string>

#include "harness/apiserver/types/quantity.h"
#include "injectors/kserve/hpa/hpa_parts.h"

namespace fixpoint::injectors::kserve::hpa {

namespace {

constexpr const char* kTargetAnnotation = "serving.kserve.io/targetUtilizationPercentage";
constexpr std::int64_t kDefaultUtilization = 80;

using Listed = std::optional<std::vector<Value>>;

std::int64_t as_int32(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// Does Go's strconv.Atoi with its error ignored: 0 for a text that is not a number, and the nearest value if
/// the number is out of range.
std::int64_t atoi(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return 0;
  std::uint64_t value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t most = kMost + (is_negative ? 1 : 0);
  if (bad != std::errc() || value > most) value = most;
  return static_cast<std::int64_t>(is_negative ? 0 - value : value);
}

Value metric(Value name, Value target) {
  return {{"type", "Resource"}, {"resource", {{"name", std::move(name)}, {"target", std::move(target)}}}};
}
Value utilization(Value name, std::int64_t percent) {
  return metric(std::move(name), {{"type", "Utilization"}, {"averageUtilization", percent}});
}

/// Returns the metric up to 0.14: one of any name, with the annotation's target if the spec has none.
Listed one(const Value& desired) {
  const Value& spec = desired["spec"];
  std::int64_t percent = kDefaultUtilization;
  if (const Value* annotation = desired["annotations"].find(kTargetAnnotation))
    percent = as_int32(atoi(annotation->text()));
  if (const auto target = number(spec, "scaleTarget")) percent = *target;
  const Value& name = spec["scaleMetric"];
  return std::vector<Value>{utilization(name.is_null() ? Value("cpu") : name, percent)};
}

Value memory_target(const Value& target) {
  const std::string_view type = target["type"].text();
  Value out{{"type", type == "Utilization" || type == "AverageValue" ? Value(type) : Value("")}};
  if (type == "Utilization" && !target["averageUtilization"].is_null())
    out.set("averageUtilization", target["averageUtilization"]);
  if (type == "AverageValue" && !target["averageValue"].is_null()) {
    std::string buffer;
    const Value& amount = target["averageValue"];
    const auto canonical = apiserver::canonical_quantity(amount.text(), buffer);
    out.set("averageValue", canonical ? Value(*canonical) : amount);
  }
  return out;
}

Listed listed(const Release& release, const Value& wanted) {
  std::vector<Value> out;
  for (const Value& each : wanted.elements()) {
    const Value& resource = each["resource"];
    if (resource.is_null() && release.metrics == Metrics::listed) return std::nullopt;
    const std::string_view name = resource["name"].text();
    if (name == "cpu")
      out.push_back(
          utilization("cpu", number(resource["target"], "averageUtilization").value_or(kDefaultUtilization)));
    if (name == "memory") out.push_back(metric("memory", memory_target(resource["target"])));
  }
  return out;
}

}  // namespace

std::optional<std::int64_t> number(const Value& spec, const char* member) {
  const auto value = spec[member].integer();
  if (!value) return std::nullopt;
  return as_int32(*value);
}

Listed metrics(const Release& release, const Value& desired) {
  if (release.metrics == Metrics::one) return one(desired);
  const Value& spec = desired["spec"];
  if (!spec["autoScaling"].is_null()) return listed(release, spec["autoScaling"]["metrics"]);
  const Value& given = spec["scaleMetric"];
  const std::string_view name = given.is_null() ? "cpu" : given.text();
  const auto target = number(spec, "scaleTarget");
  if (name == "cpu") return std::vector<Value>{utilization("cpu", target.value_or(kDefaultUtilization))};
  if (name == "memory" && target) return std::vector<Value>{utilization("memory", *target)};
  return std::vector<Value>();
}

}  // namespace fixpoint::injectors::kserve::hpa
