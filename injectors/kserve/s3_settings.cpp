#include "injectors/kserve/s3_settings.h"

#include <array>
#include <string>

#include "harness/document/base64.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/go_json.h"
#include "injectors/kserve/pod_edit.h"

namespace fixpoint::injectors::kserve {

namespace {

/// The sources of a setting, and the env entry that it becomes.
struct Setting {
  const char* env;
  document::Name annotation;
  const char* config;
  int since;
};
constexpr Setting kEndpoint{"S3_ENDPOINT", "serving.kserve.io/s3-endpoint", "s3Endpoint", 0};
constexpr Setting kUseHttps{"S3_USE_HTTPS", "serving.kserve.io/s3-usehttps", "s3UseHttps", 0};
constexpr auto kOthers = std::to_array<Setting>({
    {"S3_VERIFY_SSL", "serving.kserve.io/s3-verifyssl", "s3VerifySSL", 0},
    {"awsAnonymousCredential", "serving.kserve.io/s3-useanoncredential", "s3UseAnonymousCredential", 0},
    {"AWS_DEFAULT_REGION", "serving.kserve.io/s3-region", "s3Region", 0},
    {"S3_USER_VIRTUAL_BUCKET", "serving.kserve.io/s3-usevirtualbucket", "s3UseVirtualBucket", 0},
    {"S3_USE_ACCELERATE", "serving.kserve.io/s3-useaccelerate", "s3UseAccelerate", 1200},
    {"AWS_CA_BUNDLE", "serving.kserve.io/s3-cabundle", "s3CABundle", 0},
    {"AWS_CA_BUNDLE_CONFIGMAP", "serving.kserve.io/s3-cabundle-configmap", "s3CABundleConfigMap", 1200},
});

class Settings {
 public:
  Settings(const Value& annotations, const Value& secret_data, const StepInput& input)
      : annotations_(annotations),
        secret_data_(secret_data),
        config_(input.config.credentials["s3"]),
        release_(input.release.number) {}

  std::vector<Value> all() {
    if (release_ >= 1700) {
      add_endpoint_with_scheme();
    } else if (release_ >= 1600) {
      const std::string use_https = value_of(kUseHttps);
      add(kUseHttps.env, use_https);
      add_endpoint(value_of(kEndpoint), use_https);
    } else {
      add_endpoint_of_one_source();
    }
    for (const Setting& setting : kOthers) {
      if (setting.since <= release_) add(setting.env, value_of(setting));
    }
    return std::move(envs_);
  }

 private:
  const Value* annotated(const Setting& setting) const { return annotations_.find(setting.annotation); }
  std::string configured(const Setting& setting) const { return std::string(config_[setting.config].text()); }

  /// Returns the value of a setting; an annotation wins even if it is empty.
  std::string value_of(const Setting& setting) const {
    if (const Value* annotation = annotated(setting)) return std::string(annotation->text());
    const Value* data = release_ >= 1600 ? secret_data_.find(setting.env) : nullptr;
    return data != nullptr ? document::decode_base64(data->text()).value_or("") : configured(setting);
  }

  void add(std::string_view name, std::string_view value) {
    if (!value.empty()) envs_.push_back(env(name, value));
  }
  void add_endpoint(const std::string& endpoint, std::string_view use_https) {
    if (endpoint.empty()) return;
    reach("credentials/endpoint");
    add(kEndpoint.env, endpoint);
    add("AWS_ENDPOINT_URL", (use_https == "0" ? "http://" : "https://") + endpoint);
  }

  /// Adds the endpoint until 0.15. One from an annotation uses the annotation for usehttps, which is written
  /// even if it is empty; one from the configuration uses the configured value, which is written only if it
  /// is off.
  void add_endpoint_of_one_source() {
    if (const Value* endpoint = annotated(kEndpoint)) {
      const Value* use_https = annotated(kUseHttps);
      if (use_https != nullptr) envs_.push_back(env(kUseHttps.env, use_https->text()));
      envs_.push_back(env(kEndpoint.env, endpoint->text()));
      const bool is_plain = use_https != nullptr && use_https->text() == "0";
      envs_.push_back(
          env("AWS_ENDPOINT_URL", std::string(is_plain ? "http://" : "https://").append(endpoint->text())));
      return;
    }
    const std::string endpoint = configured(kEndpoint), use_https = configured(kUseHttps);
    if (!endpoint.empty() && use_https == "0") add(kUseHttps.env, use_https);
    add_endpoint(endpoint, use_https);
  }

  /// Adds the endpoint from 0.17.0 on: it may have a scheme, which decides if HTTPS is used.
  void add_endpoint_with_scheme() {
    std::string endpoint = value_of(kEndpoint), use_https = value_of(kUseHttps);
    if (endpoint.empty()) return;
    for (const auto& [scheme, secure] : {std::pair("http://", "0"), {"https://", "1"}}) {
      if (!endpoint.starts_with(scheme)) continue;
      reach("credentials/endpoint-with-scheme");
      endpoint.erase(0, std::string_view(scheme).size());
      use_https = secure;
      break;
    }
    add(kUseHttps.env, use_https);
    add_endpoint(endpoint, use_https);
  }

  const Value& annotations_;
  const Value& secret_data_;
  const Value& config_;
  int release_;
  std::vector<Value> envs_{};
};

}  // namespace

std::vector<Value> s3_settings(const Value& annotations, const Value& secret_data, const StepInput& input) {
  return Settings(annotations, secret_data, input).all();
}

}  // namespace fixpoint::injectors::kserve
