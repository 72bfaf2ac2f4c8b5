#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

namespace {

class Reader : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return put(Json()); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t, const string_t& text) override {
    return put(Json::binary({text.begin(), text.end()}));
  }
  bool string(string_t& value) override { return put(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name)) throw Unsupported("duplicate member " + name);
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) override {
    throw Unsupported(problem.what());
  }
  Json take() { return std::move(root_); }

 private:
  Json* place(Json value) {
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool put(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json value) {
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::string key_;
  std::vector<Json*> open_;
};

const Json& nothing() {
  static const Json null;
  return null;
}

}  // namespace

Json read(std::string_view text) {
  for (auto zero = text.find("-0"); zero != std::string_view::npos; zero = text.find("-0", zero + 1)) {
    const bool begins = zero > 0 && std::string_view(":,[ ").find(text[zero - 1]) != std::string_view::npos;
    const bool ends =
        zero + 2 < text.size() && std::string_view(",]} ").find(text[zero + 2]) != std::string_view::npos;
    if (begins && ends) throw Unsupported("nlohmann's zero has no sign");
  }
  Reader reader;
  Json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

std::string write(const Json& value) {
  if (value.is_binary()) return {value.get_binary().begin(), value.get_binary().end()};
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, member] : value.items()) {
    out += out.empty() ? "" : ",";
    if (value.is_object()) out += Json(key).dump() + ":";
    out += write(member);
  }
  return value.is_object() ? "{" + out + "}" : "[" + out + "]";
}

const Json& at(const Json& object, std::string_view member) {
  if (!object.is_object()) return nothing();
  const auto found = object.find(member);
  return found == object.end() ? nothing() : *found;
}

const Json& in(const Json& object, std::initializer_list<std::string_view> members) {
  const Json* place = &object;
  for (const std::string_view member : members) place = &at(*place, member);
  return *place;
}

std::string text_at(const Json& object, std::string_view member) {
  const Json& found = at(object, member);
  return found.is_string() ? found.get<std::string>() : "";
}

const std::vector<Json>& each(const Json& list) {
  static const std::vector<Json> none;
  return list.is_array() ? list.get_ref<const Json::array_t&>() : none;
}

bool is_given(const Json& value) {
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.is_null() && !(value.is_structured() && value.empty());
}

}  // namespace fixpoint::oracle
