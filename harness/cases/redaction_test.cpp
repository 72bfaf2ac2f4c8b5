#include "harness/cases/redaction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/cases/secrets.h"
#include "harness/document/json.h"

namespace fixpoint::cases {
namespace {

using document::read_json;
using document::write_json;

std::string shown(const std::string& json) { return write_json(redacted(read_json(json).value())); }
std::string searched(const std::string& text, TextKind kind) {
  std::string all;
  for (const std::string_view one : secrets_in(text, kind)) all.append(all.empty() ? "" : " | ").append(one);
  return all;
}

TEST(Secrets, AreKnownByTheirNames) {
  for (const char* name :
       {"DB_PASSWORD", "api-key-token", "x.io/clientSecret", "AUTH", "PASS", "--token", "HF_TOKEN",
        "APITOKEN", "accessToken", "Authorization", "X-Api-Key", "Cookie", "awsSecretAccessKey",
        "AZURE_STORAGE_ACCOUNT_KEY", "kubectl.kubernetes.io/last-applied-configuration", "SESSION_ID"})
    EXPECT_TRUE(names_a_secret(name)) << name;
}

TEST(Secrets, AreNotNamesThatOnlySpeakOfThem) {
  for (const char* name :
       {"LOG_LEVEL", "prometheus.io/port", "serving.kserve.io/storageSecretName", "--token-file", "auth-mode",
        "secretName", "authorization-mode", "--max-tokens", "tokenizer", "author", "authority",
        "secrets.example.com/inject", "sessionAffinity", "compass", "monkey", "", "-", "/", "token-ttl"})
    EXPECT_FALSE(names_a_secret(name)) << name;
}

TEST(Secrets, AreKnownByTheirLooks) {
  struct Row {
    const char* text;
    const char* secret;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- x",
            "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----"},
           {"Bearer abc", "abc"},
           {"Basic dXNlcjpwYXNz= x", "dXNlcjpwYXNz="},
           {"see eyJhbGciOiJIUzI1NiJ9.e30.abc-_1 here", "eyJhbGciOiJIUzI1NiJ9.e30.abc-_1"},
           {"id AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"},
           {"ghp_0123456789abcdef", "ghp_0123456789abcdef"},
           {"hf_AbCdEfGhIjKlMnOpQr", "hf_AbCdEfGhIjKlMnOpQr"},
           {"https://u:p@h/x?y=z", "p"},
           {"postgres://user:pa55@word@db:5432/x", "pa55@word"},
           {"https://0123456789abcdefgh@host/x", "0123456789abcdefgh"},
           {"joe:hunter2@registry.example/app:1", "hunter2"},
           {"image \"joe:hunt/er2@registry.example/app:1\" is not allowed", "hunt/er2"},
           {"/healthz?x=1&token=hunter2", "hunter2"},
           {"denied: password=hunter2, user=joe", "hunter2"}})
    EXPECT_EQ(searched(row.text, TextKind::any), row.secret) << row.text;
  EXPECT_EQ(searched("key a1b2c3d4e5f6a7b8c9d0 x", TextKind::value), "a1b2c3d4e5f6a7b8c9d0");
}

TEST(Secrets, FollowTellingNamesInTexts) {
  struct Row {
    const char* text;
    const char* secret;
  };
  for (const Row& row :
       std::initializer_list<Row>{{"--password=hunter2 --v=2", "hunter2"},
                                  {"run --token hunter2 --port 80", "hunter2"},
                                  {"run --token \"hun ter2\" x", "hun ter2"},
                                  {"curl -H \"Authorization: Digest hun ter2\" host", "Digest hun ter2"},
                                  {"{\"apiToken\": \"hunter2\", \"port\": 80}", "hunter2"},
                                  {"{\"password\":\"hunt\\\"er2\"}", "hunt\\\"er2"},
                                  {"user: joe\npassword: hunter2 \nport: 1", "hunter2"},
                                  {"password = \"hunter2\"", "hunter2"},
                                  {"https://h/x?token=hunter2&y=1", "hunter2"},
                                  {"password=12345", "12345"},
                                  {"first --token=one then --token=two", "one | two"}})
    EXPECT_EQ(searched(row.text, TextKind::value), row.secret) << row.text;
}

TEST(Secrets, OfCommandsAreExportedVariables) {
  struct Row {
    const char* text;
    const char* secret;
  };
  for (const Row& row :
       std::initializer_list<Row>{{"export P=hunter2; run", "hunter2"},
                                  {"export p='hunt er2' && run", "hunt er2"},
                                  {"set -e; KEY=hunter2 run", "hunter2"},
                                  {"KEY=hunter2", "hunter2"},
                                  {"curl -u joe:hunter2 host", "hunter2"},
                                  {"-phunter2", "hunter2"},
                                  {"mysql -u joe -phunter2 db", "hunter2"},
                                  {"mysql -p'hunt er2'", "hunt er2"},
                                  {"-port=80 -path /x -p8080 -print tar -pxf -profile=on", ""},
                                  {"export HOME=/home/x PORT=8080 A=$B C=$(D)", ""},
                                  {"--v=2 model_name=iris", ""}})
    EXPECT_EQ(searched(row.text, TextKind::command), row.secret) << row.text;
}

TEST(Secrets, AreNotWhatInjectorsLookAt) {
  for (const char* text :
       {"pvc://models/mnist",
        "oci://registry.example/model:1",
        "a plain sentence of words",
        "https://host:8080/x@y",
        "serving.kserve.io/inferenceservice",
        "/var/run/secrets/kubernetes.io/token",
        "kserve/storage-initializer:v0.14.1",
        "registry.example/token:1.2",
        "--tokenizer=/mnt/models",
        "busybox@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "localhost:5000/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "mailto:joe@example.com",
        "--token-file=/a/b",
        "model-0-abc12",
        "--secret-name my-secret",
        "Basic information",
        "token: true",
        "auth: $(AUTH)",
        "{\"storageSpecSecretName\": \"storage-config\"}",
        "8a1d2c3b-0000-4000-8000-123456789abc"}) {
    EXPECT_EQ(searched(text, TextKind::value), "") << text;
    EXPECT_EQ(searched(text, TextKind::command), "") << text;
  }
  for (const char* text : {"true", "8080", "100m", "2Gi", "30s", "/mnt/models", "$(HOST)/x", "", "-1.5"})
    EXPECT_TRUE(is_plain(text)) << text;
  for (const char* text : {"hunter2", "12345678901", "/x/a1b2c3d4e5f6a7b8c9d0", "https://u:p@$(HOST)/"})
    EXPECT_FALSE(is_plain(text)) << text;
}

/// Any secret in any command is found, and every secret that is found is a part of the text.
RC_GTEST_PROP(Secrets, AreFoundWhereverTheyStand, ()) {
  const auto filler = [] {
    return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab -=:\"'$\n/{}[]&;X_")));
  };
  const std::string before = filler(), after = filler();
  const std::string text = before + " ghp_0123456789abcdef " + after;
  const auto found = secrets_in(text, TextKind::command);
  const auto place = text.find("ghp_0123456789abcdef", before.size());
  bool is_covered = false;
  const char* end = text.data();
  for (const std::string_view one : found) {
    RC_ASSERT(one.data() >= end && one.data() + one.size() <= text.data() + text.size());
    end = one.data() + one.size();
    is_covered = is_covered || (one.data() <= text.data() + place && end >= text.data() + place + 20);
  }
  RC_ASSERT(is_covered);
}

TEST(Secrets, AreSoughtInLinearTime) {
  std::string hostile;
  for (int i = 0; i < 100'000; ++i) hostile += "a: token:\t--x \"k\": P= ";
  EXPECT_TRUE(secrets_in(hostile, TextKind::command).size() < hostile.size());
}

TEST(Redaction, KnowsWhereSecretsStandInAPod) {
  EXPECT_EQ(shown(R"({"labels":{"app":"x","api-token":"hunter2"}})"),
            R"({"labels":{"app":"x","api-token":"redacted"}})");
  EXPECT_EQ(shown(R"({"annotations":{"x.io/mode":"on","x.io/password":"hunter2","y":"--token hunter2"}})"),
            R"({"annotations":{"x.io/mode":"on","x.io/password":"redacted","y":"--token redacted"}})");
  EXPECT_EQ(shown(R"({"env":[{"name":"A","value":"hunter2"},{"name":"PORT","value":"80"}]})"),
            R"({"env":[{"name":"A","value":"redacted"},{"name":"PORT","value":"80"}]})");
  EXPECT_EQ(shown(R"({"args":["--token","hunter2","--port","80","--secret=x"],"image":"x"})"),
            R"({"args":["--token","redacted","--port","80","--secret=redacted"],"image":"x"})");
  EXPECT_EQ(shown(R"({"command":["sh","-c","export P=hunter2; run"]})"),
            R"({"command":["sh","-c","export P=redacted; run"]})");
  EXPECT_EQ(shown(R"({"httpHeaders":[{"name":"Authorization","value":"x"},{"name":"Host","value":"h"}]})"),
            R"({"httpHeaders":[{"name":"Authorization","value":"redacted"},{"name":"Host","value":"h"}]})");
  EXPECT_EQ(shown(R"({"exec":["./hook","--token","hunter2"]})"),
            R"({"exec":["./hook","--token","redacted"]})");
  EXPECT_EQ(shown(R"({"url":"https://u:hunter2@h/x"})"), R"({"url":"https://u:redacted@h/x"})");
  EXPECT_EQ(shown(R"({"image":"joe:hunter2@registry.example/app:1"})"),
            R"({"image":"joe:redacted@registry.example/app:1"})");
  EXPECT_EQ(shown(R"({"httpGet":{"path":"/healthz?token=hunter2&x=1","port":80}})"),
            R"({"httpGet":{"path":"/healthz?token=redacted&x=1","port":80}})");
  EXPECT_EQ(shown(R"({"command":["mysqladmin"],"args":["ping","-phunter2"]})"),
            R"({"command":["mysqladmin"],"args":["ping","-predacted"]})");
}

TEST(Redaction, HidesTheDataOfSecretsAndOfConfigMapsWhatTheirKeysTell) {
  EXPECT_EQ(shown(R"({"kind":"Secret","data":{"k":"aHVudGVyMg=="},"stringData":{"s":"x"}})"),
            R"({"kind":"Secret","data":{"k":"redacted"},"stringData":{"s":"redacted"}})");
  EXPECT_EQ(
      shown(R"({"kind":"ConfigMap","data":{"password":"hunter2","port":"80","f":"apiKey: k\nport: 80"}})"),
      R"({"kind":"ConfigMap","data":{"password":"redacted","port":"80","f":"apiKey: redacted\nport: 80"}})");
}

TEST(Redaction, OfAPatchGoesByItsPaths) {
  struct Row {
    const char* path;
    const char* value;
    const char* shown;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"/spec/containers/0/env/0/value", "\"hunter2\"", "\"redacted\""},
           {"/metadata/annotations/x.io~1token", "\"hunter2\"", "\"redacted\""},
           {"/metadata/annotations/x.io~1mode", "\"on\"", "\"on\""},
           {"/metadata/labels", R"({"token":"hunter2"})", R"({"token":"redacted"})"},
           {"/spec/containers/0/args/-", "\"--token=hunter2\"", "\"--token=redacted\""},
           {"/spec/containers/0/args", R"(["--token","hunter2"])", R"(["--token","redacted"])"},
           {"/spec/containers/-", R"({"env":[{"name":"A","value":"hunter2"}]})",
            R"({"env":[{"name":"A","value":"redacted"}]})"},
           {"/spec/containers/0/image", "\"busybox:1\"", "\"busybox:1\""}}) {
    const std::string head = std::string(R"({"op":"add","path":")") + row.path + "\",\"value\":";
    EXPECT_EQ(shown(head + row.value + "}"), head + row.shown + "}");
  }
}

TEST(Redaction, HidesInSentencesWhatDocumentsHold) {
  Redaction redaction;
  redaction.learn(
      read_json(R"({"name":"main","env":[{"name":"A","value":"hunter2hunter2"},{"name":"L","value":"info"},
                                 {"name":"N","value":"main"}]})")
          .value());
  EXPECT_EQ(redaction.text("A \"hunter2hunter2\" became hunter2hunter2! in main"),
            "A \"redacted\" became redacted! in main");
  EXPECT_EQ(redaction.text("information, info"), "information, redacted");
  EXPECT_EQ(redaction.sentence("admission webhook \"x\" denied the request: password=hunter3 is weak"),
            "admission webhook \"x\" denied the request: password=redacted is weak");
  EXPECT_EQ(redaction.sentence("Invalid value: \"hunter2hunter2\": must be an IP"),
            "Invalid value: (redacted): must be an IP");
}

TEST(Redaction, KeepsEnvOnRequest) {
  const auto pod = read_json(R"({"env":[{"name":"A","value":"x y"}],"args":["--token=x"]})").value();
  EXPECT_EQ(write_json(Redaction({.keeps_env = true}).document(pod)),
            R"({"env":[{"name":"A","value":"x y"}],"args":["--token=redacted"]})");
}

}  // namespace
}  // namespace fixpoint::cases
