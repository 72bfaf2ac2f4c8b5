#include "harness/external/cluster_api/object_form.h"

#include <array>
#include <utility>

namespace fixpoint::external {

namespace {

using document::Value;

constexpr std::string_view kMeta = "meta.k8s.io/v1";

/// Converts by the version alone: no field differs between the versions of a cluster's objects.
Value in_version(Value object, const ApiResource& resource) {
  const std::string version = resource.api_version();
  if (object["apiVersion"].text() != version) object.set("apiVersion", version);
  return object;
}

Value partial_of(const Value& object) {
  return {{"kind", "PartialObjectMetadata"}, {"apiVersion", kMeta}, {"metadata", object["metadata"]}};
}

/// A column of a table and its cell in the row of an object.
struct Column {
  std::string_view name, type;
  Value (*cell)(const Value& object);
};
struct TableRow {
  std::string_view store;  ///< empty for all others
  std::vector<Column> columns;
};

Value ready_cell(const Value& pod) {
  std::size_t ready = 0;
  for (const Value& status : pod["status"]["containerStatuses"].elements())
    ready += status["ready"].is_true();
  return std::to_string(ready) + "/" + std::to_string(pod["spec"]["containers"].size());
}
Value status_cell(const Value& pod) {
  const std::string_view phase = pod["status"]["phase"].text();
  return phase.empty() ? Value("Unknown") : Value(phase);
}
Value restarts_cell(const Value& pod) {
  std::int64_t restarts = 0;
  for (const Value& status : pod["status"]["containerStatuses"].elements())
    restarts += status["restartCount"].integer().value_or(0);
  return restarts;
}
Value count_of_data(const Value& object) {
  return static_cast<std::int64_t>(object["data"].size() + object["binaryData"].size());
}

const std::vector<Column>& columns_of(const ApiResource& resource) {
  static const Column name{"Name", "string",
                           [](const Value& object) { return Value(object["metadata"]["name"].text()); }};
  // The server prints an age, which would make the answer depend on the clock.
  static const Column created{"Created At", "date", [](const Value& object) {
                                return Value(object["metadata"]["creationTimestamp"].text());
                              }};
  static const std::vector<TableRow> rows{
      {"pods",
       {name,
        {"Ready", "string", ready_cell},
        {"Status", "string", status_cell},
        {"Restarts", "integer", restarts_cell},
        created}},
      {"secrets",
       {name,
        {"Type", "string", [](const Value& object) { return Value(object["type"].text()); }},
        {"Data", "integer", count_of_data},
        created}},
      {"configmaps", {name, {"Data", "integer", count_of_data}, created}},
      {"namespaces", {name, {"Status", "string", status_cell}, created}},
      {"", {name, created}}};
  for (const TableRow& row : rows) {
    if (row.store == resource.store()) return row.columns;
  }
  return rows.back().columns;
}

Value definitions_of_columns(const std::vector<Column>& columns) {
  std::vector<Value> definitions;
  for (const Column& column : columns) {
    definitions.push_back({{"name", column.name},
                           {"type", column.type},
                           {"format", column.name == "Name" ? "name" : ""},
                           {"description", ""},
                           {"priority", 0}});
  }
  return definitions;
}

Value row_of(const Value& object, const std::vector<Column>& columns, std::string_view include) {
  std::vector<Value> cells;
  for (const Column& column : columns) cells.push_back(column.cell(object));
  Value row{{"cells", std::move(cells)}};
  if (include != "None") row.set("object", include == "Object" ? object : partial_of(object));
  return row;
}

Value table_of(const std::vector<Value>& objects, const ApiResource& resource, const std::string& version,
               std::string_view include) {
  const std::vector<Column>& columns = columns_of(resource);
  std::vector<Value> rows;
  for (const Value& object : objects) rows.push_back(row_of(in_version(object, resource), columns, include));
  return {{"kind", "Table"},
          {"apiVersion", kMeta},
          {"metadata", {{"resourceVersion", version}}},
          {"columnDefinitions", definitions_of_columns(columns)},
          {"rows", std::move(rows)}};
}

/// Removes kind and apiVersion, which the server writes once for a whole list of a built-in resource.
Value as_item(Value object, const ApiResource& resource) {
  if (resource.is_custom) return in_version(std::move(object), resource);
  object.remove("kind");
  object.remove("apiVersion");
  return object;
}

}  // namespace

Value ObjectForm::of(const Value& object, const ApiResource& resource) const {
  if (form == AnswerForm::partial) return partial_of(object);
  if (form != AnswerForm::table) return in_version(object, resource);
  const std::string version(object["metadata"]["resourceVersion"].text());
  return table_of({object}, resource, version, include_object);
}

Value ObjectForm::of_list(const std::vector<Value>& objects, const ApiResource& resource,
                          std::uint64_t version) const {
  const std::string text = std::to_string(version);
  if (form == AnswerForm::table) return table_of(objects, resource, text, include_object);
  const bool is_partial = form == AnswerForm::partial;
  std::vector<Value> items;
  items.reserve(objects.size());
  for (const Value& object : objects)
    items.push_back(is_partial ? partial_of(object) : as_item(object, resource));
  return {{"kind", is_partial ? Value("PartialObjectMetadataList") : Value(resource.list_kind)},
          {"apiVersion", is_partial ? Value(kMeta) : Value(resource.api_version())},
          {"metadata", {{"resourceVersion", text}}},
          {"items", std::move(items)}};
}

Value ObjectForm::bookmark(const ApiResource& resource, std::uint64_t version, bool ends_initial) const {
  Value metadata{{"resourceVersion", std::to_string(version)}, {"creationTimestamp", Value()}};
  if (ends_initial) metadata.set("annotations", {{"k8s.io/initial-events-end", "true"}});
  if (form == AnswerForm::table) {
    Value table = table_of({}, resource, std::to_string(version), include_object);
    if (ends_initial) {
      // Clients look for the annotation in the row's object.
      const Value object = partial_of({{"metadata", metadata}});
      table.set("rows", Value::list({Value{{"cells", Value::empty_list()}, {"object", object}}}));
    }
    return table;
  }
  const Value object{{"kind", resource.kind}, {"apiVersion", resource.api_version()}, {"metadata", metadata}};
  return of(object, resource);
}

}  // namespace fixpoint::external
