#include "generators/reduce.h"

#include "harness/runner/shrink.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using document::Value;

/// The pass over one Case: `value_` is always the last variant that was taken.
class Pass {
 public:
  Pass(Case value, const std::function<bool(const Case&)>& take) : value_(std::move(value)), take_(take) {}

  void run() {
    drop_webhooks();
    drop_each(&Case::faults);
    drop_objects();
    simplify_request();
    drop_plugins();
    reduce_document([](Case& value) -> Value& { return value.request.object; });
    if (!value_.request.old_object.is_null()) {
      reduce_document([](Case& value) -> Value& { return value.request.old_object; });
    }
    simplify_configurations();
  }

 private:
  template <class Change>
  bool try_change(const Change& change) {
    Case candidate = value_;
    change(candidate);
    if (!take_(candidate)) return false;
    value_ = std::move(candidate);
    return true;
  }

  void drop_webhooks() {
    for (const std::string& webhook : cases::configured_webhooks(value_.cluster)) {
      if (value_.webhooks.size() < 2) return;
      try_change([&](Case& value) { value = runner::without_webhook(value, webhook); });
    }
  }

  template <class List>
  void drop_each(List Case::*list) {
    for (std::size_t i = (value_.*list).size(); i-- > 0;) {
      try_change([&](Case& value) { (value.*list).erase((value.*list).begin() + static_cast<std::ptrdiff_t>(i)); });
    }
  }

  void drop_objects() {
    for (std::size_t i = value_.cluster.objects.size(); i-- > 0;) {
      if (value_.cluster.objects[i]["kind"].text() == "MutatingWebhookConfiguration") continue;
      try_change([&](Case& value) {
        value.cluster.objects.erase(value.cluster.objects.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
  }

  void simplify_request() {
    if (!value_.name.empty() || !value_.note.empty()) try_change([](Case& value) { value.name = value.note = ""; });
    if (value_.request.dry_run) try_change([](Case& value) { value.request.dry_run = false; });
    if (value_.request.user_info) try_change([](Case& value) { value.request.user_info.reset(); });
    if (value_.request.namespace_name != "default") {
      try_change([](Case& value) { value.request.namespace_name = "default"; });
    }
    if (!value_.request.managed_fields) try_change([](Case& value) { value.request.managed_fields = true; });
    if (value_.request.is_update() && value_.request.sub_resource.empty()) {
      try_change([](Case& value) {
        value.request.operation = "CREATE";
        value.request.old_object = Value();
      });
    }
  }

  void drop_plugins() {
    if (value_.cluster.admission_plugins.empty()) return;
    if (try_change([](Case& value) { value.cluster.admission_plugins.clear(); })) return;
    drop_each_plugin();
  }
  void drop_each_plugin() {
    for (std::size_t i = value_.cluster.admission_plugins.size(); i-- > 0;) {
      try_change([&](Case& value) {
        auto& plugins = value.cluster.admission_plugins;
        plugins.erase(plugins.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
  }

  /// Optional members of the webhooks' entries that the Case does not need.
  void simplify_configurations() {
    for (std::size_t i = 0; i < value_.cluster.objects.size(); ++i) {
      if (value_.cluster.objects[i]["kind"].text() != "MutatingWebhookConfiguration") continue;
      for (std::size_t j = 0; j < value_.cluster.objects[i]["webhooks"].size(); ++j) {
        for (const char* member : {"matchConditions", "namespaceSelector", "objectSelector", "matchPolicy",
                                   "timeoutSeconds", "failurePolicy", "reinvocationPolicy"}) {
          if (value_.cluster.objects[i]["webhooks"].at(j).find(member) == nullptr) continue;
          try_change([&](Case& value) { value.cluster.objects[i].edit("webhooks").edit(j).remove(member); });
        }
      }
    }
  }

  using Part = std::function<Value&(Case&)>;

  /// Top down: a whole member or element first, then what is inside it, then a plainer scalar.
  void reduce_document(const Part& root) {
    const Part part = root;
    reduce_value(part);
  }

  void reduce_value(const Part& part) {
    const Value& now = part(value_);
    if (now.is_object()) {
      reduce_members(part);
    } else if (now.is_array()) {
      reduce_elements(part);
    } else {
      reduce_scalar(part);
    }
  }

  void reduce_members(const Part& part) {
    std::vector<std::string> names;
    for (const auto& member : part(value_).members()) names.emplace_back(member.key.text());
    for (const std::string& name : names) {
      if (try_change([&](Case& value) { part(value).remove(name); })) continue;
      reduce_value([part, name](Case& value) -> Value& { return part(value).edit(name); });
    }
  }

  void reduce_elements(const Part& part) {
    for (std::size_t i = part(value_).size(); i-- > 0;) {
      const bool gone = try_change([&](Case& value) {
        auto& elements = part(value).edit_elements();
        elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(i));
      });
      if (!gone) reduce_value([part, i](Case& value) -> Value& { return part(value).edit(i); });
    }
  }

  void reduce_scalar(const Part& part) {
    const Value now = part(value_);
    if (now.is_string()) {
      for (const char* plain : {"", "a", "x:1"}) {
        if (now.text().size() <= std::string_view(plain).size()) return;
        if (try_change([&](Case& value) { part(value) = Value(plain); })) return;
      }
    } else if (now.is_number() && now.text().size() > 1) {
      for (int plain : {0, 1}) {
        if (try_change([&](Case& value) { part(value) = Value(plain); })) return;
      }
    }
  }

  Case value_;
  const std::function<bool(const Case&)>& take_;
};

}  // namespace

void reduce(Case value, const std::function<bool(const Case&)>& take) { Pass(std::move(value), take).run(); }

}  // namespace fixpoint::generators
