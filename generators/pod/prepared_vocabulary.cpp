#include "generators/pod/prepared_vocabulary.h"

#include <cctype>
#include <string_view>

#include "harness/document/json.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

namespace {

std::vector<PreparedVocabulary::KeyedValues> keyed_values_of(
    const std::vector<runner::Vocabulary::KeyedValues>& all_keyed) {
  std::vector<PreparedVocabulary::KeyedValues> ready;
  for (const auto& [key, values] : all_keyed) ready.push_back({key, {values.begin(), values.end()}});
  return ready;
}

std::vector<Value> values_of_field(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) {
    if (auto value = document::read_json(text)) values.push_back(*std::move(value));
  }
  return values;
}

std::vector<Value> namespaces_of(const std::vector<runner::Vocabulary::KeyedValues>& fields) {
  for (const auto& [key, values] : fields) {
    if (key == runner::kNamespaceField) return values_of_field(values);
  }
  return {};
}

std::vector<PreparedVocabulary::Field> fields_of(const std::vector<runner::Vocabulary::KeyedValues>& fields) {
  std::vector<PreparedVocabulary::Field> ready;
  for (const auto& [key, texts] : fields) {
    auto path = runner::parse_field_path(key);
    if (key == runner::kNamespaceField || !path || path->size() < 2) continue;
    const bool is_of_spec = path->front().member == "spec";
    if (!is_of_spec && path->front().member != "metadata") continue;
    path->erase(path->begin());
    ready.push_back({is_of_spec, *std::move(path), values_of_field(texts)});
  }
  return ready;
}

}  // namespace

PreparedVocabulary prepare_vocabulary(const runner::Vocabulary& vocabulary) {
  using Where = runner::Trigger::Where;
  return {.names = vocabulary.names,
          .labels = keyed_values_of(vocabulary.common(Where::label)),
          .annotations = keyed_values_of(vocabulary.common(Where::annotation)),
          .rare_labels = keyed_values_of(vocabulary.rare(Where::label)),
          .rare_annotations = keyed_values_of(vocabulary.rare(Where::annotation)),
          .namespace_labels = keyed_values_of(vocabulary.common(Where::namespace_label)),
          .namespace_annotations = keyed_values_of(vocabulary.common(Where::namespace_annotation)),
          .rare_namespace_labels = keyed_values_of(vocabulary.rare(Where::namespace_label)),
          .rare_namespace_annotations = keyed_values_of(vocabulary.rare(Where::namespace_annotation)),
          .users = keyed_values_of(vocabulary.common(Where::user)),
          .rare_users = keyed_values_of(vocabulary.rare(Where::user)),
          .namespaces = namespaces_of(vocabulary.common(Where::field)),
          .rare_namespaces = namespaces_of(vocabulary.rare(Where::field)),
          .fields = fields_of(vocabulary.common(Where::field)),
          .rare_fields = fields_of(vocabulary.rare(Where::field)),
          .elements = vocabulary.elements,
          .members = vocabulary.members};
}

const PreparedVocabulary& neutral_vocabulary() {
  static const PreparedVocabulary prepared_vocabulary =
      prepare_vocabulary({.names = {{NameKind::container, {"main", "app", "worker"}},
                                    {NameKind::init_container, {"setup", "fetch"}},
                                    {NameKind::volume, {"data", "cache", "config"}},
                                    {NameKind::mount_path, {"/data", "/cache", "/etc/app"}},
                                    {NameKind::env, {"LOG", "HOME_DIR", "MODE"}},
                                    {NameKind::port_name, {"http", "metrics", "h2c"}},
                                    {NameKind::port, {8080, 9090, 8012}}}});
  return prepared_vocabulary;
}

std::string near_match(Choices& choices, std::string_view word) {
  std::string like(word);
  switch (choices.below(5)) {
    case 0:
      return like + "-1";
    case 3: {  // a name of the same family: HTTP_PORT beside HTTP_PROXY
      const bool is_upper = !like.empty() && std::isupper(static_cast<unsigned char>(like.front())) != 0;
      const auto end = like.find_last_of("_-./");
      return end == std::string::npos ? like + "s" : like.substr(0, end + 1) + (is_upper ? "PORT" : "port");
    }
    case 1:
      return like.size() > 2 ? like.substr(0, like.size() - 1) : like + "s";
    case 2:
      return "x" + like;
    default:
      for (char& letter : like) {
        const auto byte = static_cast<unsigned char>(letter);
        letter = static_cast<char>(std::isupper(byte) != 0 ? std::tolower(byte) : std::toupper(byte));
      }
      return like;
  }
}

}  // namespace fixpoint::generators
