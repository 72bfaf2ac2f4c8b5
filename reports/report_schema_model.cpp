#include "reports/report_schema_model.h"

#include <fstream>
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

/// Read once for each process: SARIF's has three thousand lines.
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

}  // namespace

std::string schema_problems(const std::string& folder, const std::string& schema, std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return "not JSON";
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
