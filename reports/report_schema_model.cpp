#include "reports/report_schema_model.h"

#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace fixpoint::reports {

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;
using nlohmann::json;

json read(const std::string& path) { return json::parse(std::ifstream(path)); }

/// Returns a schema, which each process reads only once: that of SARIF has three thousand lines.
const valijson::Schema& schema_of(const std::string& folder, const std::string& name) {
  static std::map<std::string, std::unique_ptr<valijson::Schema>> known;
  auto& schema = known[name];
  if (schema) return *schema;
  schema = std::make_unique<valijson::Schema>();
  const json document = read(folder + "/" + name);
  const bool is_old = document.value("$schema", "").find("draft-04") != std::string::npos;
  valijson::SchemaParser parser(is_old ? valijson::SchemaParser::kDraft4 : valijson::SchemaParser::kDraft7);
  parser.populateSchema(
      Adapter(document), *schema,
      [&](const std::string& other) -> const json* {
        return new json(read(folder + "/" + other.substr(other.rfind('/') + 1)));
      },
      [](const json* other) { delete other; });
  return *schema;
}

/// Clamps integers beyond 2^63 - 1, such as the seeds of shards, which Valijson reads as negative.
void clamp_numbers(json& value) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_structured()) {
    for (json& part : value) clamp_numbers(part);
  } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMax) {
    value = kMax;
  }
}

}  // namespace

std::string schema_problems(const std::string& folder, const std::string& schema, std::string_view text) {
  json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return "not JSON";
  clamp_numbers(document);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema_of(folder, schema), Adapter(document), &results)) return "";
  std::string problems;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) problems += step;
    problems += ": " + error.description + "\n";
  }
  return problems;
}

}  // namespace fixpoint::reports
