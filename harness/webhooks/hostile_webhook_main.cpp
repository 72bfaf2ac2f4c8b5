/// A webhook process for tests: `hostile_webhook BEHAVIOUR` answers each AdmissionReview on its standard
/// input, correctly or not, depending on the behaviour. It shares no code with the harness.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;

struct Seen {
  json request;
  int number = 1;  ///< the number of the request to this process
};

void say(std::string_view text) {
  std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
  std::cout.flush();
}

/// Returns the answer to the request as one line. `more` overrides the defaults, which allow without a
/// change.
std::string review(const Seen& seen, const json& more = json::object()) {
  json response{{"uid", seen.request.at("uid")}, {"allowed", true}};
  response.update(more);
  const json out{{"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"response", response}};
  return out.dump() + "\n";
}

[[noreturn]] void hang() {
  for (;;) pause();
}

/// The patch `[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1"}}]` in
/// base64.
constexpr const char* kAddProxy =
    "W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvY29udGFpbmVycy8tIiwidmFsdWUiOnsibmFtZSI6"
    "InByb3h5IiwiaW1hZ2UiOiJwcm94eToxIn19XQ==";

/// Returns the text in base64.
std::string base64(const std::string& text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= text.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

/// Adds its container to every object, even if it already has it.
void add_sidecar(const Seen& seen) { say(review(seen, {{"patchType", "JSONPatch"}, {"patch", kAddProxy}})); }

/// Adds its container once, and only if a label requests it.
void add_when_asked(const Seen& seen) {
  const json& object = seen.request.at("object");
  bool has_proxy =
      object.value("/metadata/labels/inject.example.io~1proxy"_json_pointer, std::string{}) != "please";
  for (const json& container : object.value("/spec/containers"_json_pointer, json::array()))
    has_proxy = has_proxy || container.value("name", "") == "proxy";
  has_proxy ? say(review(seen)) : add_sidecar(seen);
}

/// Returns an answer that sets the label `shard` of the Pod.
std::string labelled(const Seen& seen, const std::string& value) {
  const json& object = seen.request.at("object");
  json patch = json::array();
  if (object.value("/metadata/labels"_json_pointer, json()).is_null())
    patch.push_back({{"op", "add"}, {"path", "/metadata/labels"}, {"value", json::object()}});
  patch.push_back({{"op", "add"}, {"path", "/metadata/labels/shard"}, {"value", value}});
  return review(seen, {{"patchType", "JSONPatch"}, {"patch", base64(patch.dump())}});
}

void eat_memory(const Seen& seen) {
  std::vector<std::vector<char>> eaten;
  for (int megabytes = 0; megabytes < 4096; megabytes += 16) eaten.emplace_back(std::size_t{16} << 20, 'x');
  say(review(seen));
}

void write_300_megabytes(const Seen&) {
  const std::string block(1u << 20, ' ');
  for (int i = 0; i < 300; ++i) say(block);
  say("\n");
}

void leave_a_child(const Seen&) {
  if (fork() == 0) hang();
  std::_Exit(5);
}

/// Starts a descendant that has a child, in a new session outside the process group.
void leave_a_daemon(const Seen& seen) {
  std::array<int, 2> ready{};
  char none = 0;
  if (seen.number == 1 && pipe(ready.data()) == 0) {
    if (fork() == 0) {
      setsid();
      fork();
      // Close all descriptors that the test or the parent may wait for.
      for (const int stream : {0, 1, 2, ready[0], ready[1]}) close(stream);
      hang();
    }
    close(ready[1]);
    while (read(ready[0], &none, 1) > 0) continue;
  }
  say(review(seen));
}

/// Labels the Pod with a value that differs between processes.
void label_by_process(const Seen& seen) { say(labelled(seen, std::to_string(getpid()))); }

/// Labels the Pod with the namespace of the process's first request.
void label_by_first_request(const Seen& seen) {
  static const std::string first = seen.request.value("namespace", "");
  say(labelled(seen, first));
}

struct Behaviour {
  std::string_view name;
  void (*act)(const Seen& seen);
};

constexpr auto kBehaviours = std::to_array<Behaviour>({
    {"allow", [](const Seen& seen) { say(review(seen)); }},
    {"deny",
     [](const Seen& seen) {
       say(review(
           seen, {{"allowed", false}, {"status", {{"code", 418}, {"reason", "Teapot"}, {"message", "no"}}}}));
     }},
    {"sidecar", add_sidecar},
    {"sidecar-when-asked", add_when_asked},
    {"number",
     [](const Seen& seen) { say(review(seen, {{"warnings", json::array({std::to_string(seen.number)})}})); }},
    {"directory-of-descriptors",
     [](const Seen& seen) {
       std::string open;
       for (int i = 3; i < 256; ++i) open += dup2(i, i) == i ? std::to_string(i) + " " : "";
       say(review(seen, {{"warnings", json::array({open})}}));
     }},
    {"label-by-process", label_by_process},
    {"label-by-first-request", label_by_first_request},
    {"wrong-uid", [](const Seen& seen) { say(review(seen, {{"uid", "another"}})); }},
    {"not-json", [](const Seen&) { say("hello\n"); }},
    {"empty-line", [](const Seen&) { say("\n"); }},
    {"deep", [](const Seen&) { say("{\"response\":" + std::string(100'000, '[') + "\n"); }},
    {"two-answers", [](const Seen& seen) { say(review(seen) + review(seen)); }},
    {"second-answer-later",
     [](const Seen& seen) {
       say(review(seen));
       std::this_thread::sleep_for(std::chrono::milliseconds(20));
       say(review(seen));
     }},
    {"half-an-answer",
     [](const Seen& seen) {
       say(review(seen).substr(0, 40));
       hang();
     }},
    {"die", [](const Seen&) { std::_Exit(3); }},
    {"die-in-the-answer",
     [](const Seen& seen) {
       say(review(seen).substr(0, 40));
       std::cerr << "panic: out of ideas\n";
       std::_Exit(3);
     }},
    {"die-after-the-answer",
     [](const Seen& seen) {
       say(review(seen));
       std::_Exit(4);
     }},
    {"hang", [](const Seen&) { hang(); }},
    {"leave-a-child", leave_a_child},
    {"leave-a-daemon", leave_a_daemon},
    {"log-with-the-answer", [](const Seen& seen) { say("INFO called\n" + review(seen)); }},
    {"json-log-with-the-answer",
     [](const Seen& seen) { say("{\"level\":\"info\",\"msg\":\"called\"}\n" + review(seen)); }},
    {"log-before-the-answer",
     [](const Seen& seen) {
       say("INFO called\n");
       std::this_thread::sleep_for(std::chrono::milliseconds(20));
       say(review(seen));
     }},
    {"log-after-the-answer",
     [](const Seen& seen) {
       say(review(seen));
       std::this_thread::sleep_for(std::chrono::milliseconds(20));
       say("INFO was called\n");
     }},
    {"endless",
     [](const Seen&) {
       std::string block;  // small writes would be too slow for a call's timeout
       while (block.size() < 65536) block += "{\"more\":";
       for (;;) say(block);
     }},
    {"a-byte-at-a-time",
     [](const Seen&) {
       for (;;) {
         say("x");
         std::this_thread::sleep_for(std::chrono::milliseconds(100));
       }
     }},
    {"300-megabytes", write_300_megabytes},
    {"eat-memory", eat_memory},
    {"shout",
     [](const Seen& seen) {
       for (int i = 0; i < 10'000; ++i) std::cerr << "a line of a log that nobody asked for\n";
       say(review(seen));
     }},
});

/// An injector of a log shipper that does as its words say, each a right or a wrong thing, to Pods with the
/// annotation logs.example.io/inject.
class Shipper {
 public:
  explicit Shipper(std::vector<std::string_view> words) : words_(std::move(words)) {}

  bool is(std::string_view word) const {
    return std::find(words_.begin(), words_.end(), word) != words_.end();
  }
  std::string answer(const Seen& seen) const {
    if (is("deny")) {
      const json status{{"code", 403}, {"message", "no Pods today"}};
      return review(seen, {{"allowed", false}, {"status", status}});
    }
    const json patch = patch_of(seen.request.at("object"));
    return patch.empty() ? review(seen)
                         : review(seen, {{"patchType", "JSONPatch"}, {"patch", base64(patch.dump())}});
  }

 private:
  static bool has(const json& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const json& one) { return one.value("name", "") == name; });
  }
  /// Appends to the variable in every container of a list.
  static void grow(json& patch, const json& pod, const std::string& list, std::string_view name,
                   const std::string& suffix, bool is_guarded) {
    const json containers = pod.value(json::json_pointer(list), json::array());
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const json env = containers[i].value("env", json::array());
      for (std::size_t k = 0; k < env.size(); ++k) {
        const std::string value = env[k].value("value", "");
        if (env[k].value("name", "") != name || (is_guarded && value.find(suffix) != value.npos)) continue;
        patch.push_back(
            {{"op", "replace"},
             {"path", list + "/" + std::to_string(i) + "/env/" + std::to_string(k) + "/value"},
             {"value", value + suffix}});
      }
    }
  }
  json patch_of(const json& pod) const {
    json patch = json::array();
    const auto inject = "/metadata/annotations/logs.example.io~1inject"_json_pointer;
    if (pod.value(inject, std::string()) != "true") return patch;
    const auto add = [&](const char* path, const json& value) {
      patch.push_back({{"op", "add"}, {"path", path}, {"value", value}});
    };
    const json containers = pod.value("/spec/containers"_json_pointer, json::array());
    const json volumes = pod.value("/spec/volumes"_json_pointer, json::array());
    if (is("agent") && !has(containers, "shipper"))
      add("/spec/containers/-", {{"name", "shipper"}, {"image", "example/shipper:2"}});
    const json volume{{"name", "logs"}, {"emptyDir", json::object()}};
    if (is("volume") && volumes.empty()) add("/spec/volumes", json::array({volume}));
    if (is("volume") && !volumes.empty() && !has(volumes, "logs")) add("/spec/volumes/-", volume);
    if (is("network") && !pod.value("/spec/hostNetwork"_json_pointer, false)) add("/spec/hostNetwork", true);
    if (is("java") || is("java-fixed"))
      grow(patch, pod, "/spec/containers", "JAVA_TOOL_OPTIONS", " -javaagent:/agent.jar", is("java-fixed"));
    if (is("java-init"))
      grow(patch, pod, "/spec/initContainers", "JAVA_TOOL_OPTIONS", " -javaagent:/agent.jar", false);
    if (is("python")) grow(patch, pod, "/spec/containers", "PYTHONPATH", ":/agent", false);
    if (is("broken")) patch.push_back({{"op", "remove"}, {"path", "/spec/nothing/here"}});
    return patch;
  }

  std::vector<std::string_view> words_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string_view name = count > 1 ? arguments[1] : "";
  if (name == "ship") {
    const Shipper shipper({arguments + 2, arguments + count});
    if (shipper.is("dead")) {
      std::fprintf(stderr, "ship: no module named shipper\n");
      return 1;
    }
    for (std::string line; std::getline(std::cin, line);) {
      const json document = json::parse(line, nullptr, false);
      if (document.is_discarded() || !document.contains("request")) return 1;
      const json& request = document["request"];
      if (shipper.is("needs-annotations") && !request["object"]["metadata"].contains("annotations")) {
        std::fprintf(stderr, "ship: no annotations\n");
        return 1;
      }
      say(shipper.answer({.request = request}));
    }
    return 0;
  }
  if (name == "deaf") hang();  // never reads its input
  for (const Behaviour& behaviour : kBehaviours) {
    if (behaviour.name != name) continue;
    Seen seen;
    for (std::string line; std::getline(std::cin, line); ++seen.number) {
      const json document = json::parse(line, nullptr, false);
      if (document.is_discarded() || !document.contains("request")) return 1;
      seen.request = document["request"];
      behaviour.act(seen);
    }
    return 0;
  }
  std::fprintf(stderr, "hostile_webhook: no behaviour \"%s\"\n", count > 1 ? arguments[1] : "");
  return 2;
}
