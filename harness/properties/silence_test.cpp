#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/properties/webhook_caller.h"

/// Findings that the author of a webhook would rightly reject, each beside one that is correct.
namespace fixpoint::properties {
namespace {

using document::Name;

constexpr const char* kPod = R"({"metadata":{"name":"p","labels":{"a":"b"},"annotations":{"c":"d"}},
    "spec":{"containers":[{"name":"main","image":"x:1"}]}})";

cases::Case asked_by(cases::Backend backend, const char* pod = kPod) {
  return of_one_webhook(std::move(backend), pod);
}

const cases::Backend kHandler = cases::InjectorName{"test/handler"};

/// A Pod with resources of its own in a namespace with a LimitRange: a container without resources is given
/// more than the Pod has when the plugins come round again, before the webhook's second call.
std::vector<Violation> ask_in_limited_namespace(const std::string& resources, const std::string& second_call,
                                                bool is_reinvoked = true) {
  auto value =
      asked_by(script_of(R"([{"when":{"call":1},"patch":[{"op":"add","path":"/spec/containers/-",
      "value":{"name":"late","image":"y:1","resources":)" +
                         resources + R"(}}]},{"when":{"call":2},"patch":[)" + second_call + "]}]"),
               R"({"metadata":{"name":"p","labels":{"a":"b"}},"spec":{"resources":{"limits":{"cpu":"2"}},
      "containers":[{"name":"main","image":"x:1","resources":{"limits":{"cpu":"1"}}}]}})");
  if (!is_reinvoked) value.cluster.objects.front().edit("webhooks").edit(0).remove("reinvocationPolicy");
  value.cluster.admission_plugins = {"LimitRanger"};
  value.cluster.objects.push_back(
      document::read_json(R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l",
      "namespace":"default"},"spec":{"limits":[{"type":"Container","max":{"cpu":"64"}}]}})")
          .value());
  return violations_of("valid-spec", value);
}

TEST(Silence, OnWhatAPluginFillsInBetweenTwoCalls) {
  constexpr const char* kLabel = R"({"op":"add","path":"/metadata/labels/late","value":"yes"})";
  constexpr const char* kLead =
      R"({"op":"add","path":"/spec/containers/0","value":{"name":"lead","image":"y:1",
      "resources":{"limits":{"cpu":"1"},"requests":{"cpu":"0"}}}})";
  EXPECT_TRUE(ask_in_limited_namespace("{}", kLabel).empty());
  EXPECT_TRUE(ask_in_limited_namespace("{}", kLead).empty())
      << "the container with the error stands at another index now";
  constexpr const char* kTooMuch = R"({"limits":{"cpu":"4"},"requests":{"cpu":"1"}})";
  EXPECT_FALSE(ask_in_limited_namespace(kTooMuch, kLabel).empty()) << "the webhook itself asks for it";
  EXPECT_TRUE(ask_in_limited_namespace("{}", kLabel, false).empty()) << "after the last call";
  EXPECT_FALSE(ask_in_limited_namespace(kTooMuch, kLabel, false).empty());
}

/// Two calls that differ whatever the request say nothing about the request.
TEST(Silence, OnTheRequestOfAWebhookThatIsNoFunctionOfIt) {
  const auto numbers = [] {
    return changing(
        [](Value& pod, int call) { pod.edit("metadata").edit("labels").set("n", std::to_string(call)); });
  };
  EXPECT_FALSE(violations_of("deterministic", asked_by(kHandler), numbers()).empty());
  const char* unlabelled =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";
  for (const char* property : {"order-independent", "request-context", "absent-empty-present",
                               "dry-run-equal", "aggregate-consistent"})
    EXPECT_TRUE(violations_of(property, asked_by(kHandler, unlabelled), numbers()).empty()) << property;
}

TEST(Silence, OnAnInjectedElementThatHasAnotherName) {
  const auto named = [](bool by_number) {
    return changing([=](Value& pod, int) {
      const auto there = pod["spec"]["initContainers"].elements();
      const auto is_like = [](const Value& one) {
        return one["name"].text().find("setup") != std::string_view::npos;
      };
      if (!by_number && std::any_of(there.begin(), there.end(), is_like)) return;
      const std::string name = "setup-" + std::to_string(by_number ? there.size() : 0);
      pod.edit("spec").edit("initContainers").push_back({{"name", name}, {"image", "s:1"}});
    });
  };
  EXPECT_TRUE(violations_of("request-context", asked_by(kHandler), named(true)).empty());
  EXPECT_FALSE(violations_of("request-context", asked_by(kHandler), named(false)).empty());
}

/// The server puts 30 seconds there when a user says nothing: nobody can tell that he wanted them.
TEST(Silence, OnADefaultThatIsChanged) {
  const auto grace =
      changing([](Value& pod, int) { pod.edit("spec").set("terminationGracePeriodSeconds", 45); });
  EXPECT_TRUE(violations_of("preserves-others", asked_by(kHandler), grace).empty());
  const auto bounded = changing([](Value& pod, int) {
    if (pod["spec"]["terminationGracePeriodSeconds"].integer().value_or(0) > 45)
      pod.edit("spec").set("terminationGracePeriodSeconds", 45);
  });
  const auto violations =
      violations_of("preserves-others", asked_by(kHandler, R"({"metadata":{"name":"p"},"spec":{
      "terminationGracePeriodSeconds":60,"containers":[{"name":"main","image":"x:1"}]}})"),
                    bounded);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.terminationGracePeriodSeconds");
}

/// The protocol tells a port from its sibling of the same number: the default is no less the user's there.
TEST(Silence, DoesNotCoverWhatTellsElementsApart) {
  const auto merges = changing([](Value& pod, int) {
    if (pod["spec"]["containers"].at(0)["ports"].empty()) return;
    pod.edit("spec").edit("containers").edit(0).edit("ports").edit(0).set("protocol", "SCTP");
  });
  const auto violations =
      violations_of("preserves-others", asked_by(kHandler, R"({"metadata":{"name":"p"},"spec":{
      "containers":[{"name":"main","image":"x:1","ports":[{"containerPort":80}]}]}})"),
                    merges);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.containers[0].ports[0].protocol");
}

/// Who takes its container out and puts the same one back is a no-op in the end; `idempotent` tells the
/// patch.
constexpr const char* kPinned =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}],
    "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
      {"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]}]}]}}}}})";
constexpr const char* kTerms =
    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/";

/// The terms are alternatives, the requirements of one are not.
TEST(Silence, OnATermThatAsksForMore) {
  const auto adds = [](const std::string& at, const std::string& value) {
    return asked_by(
        script_of(R"([{"patch":[{"op":"add","path":")" + (kTerms + at) + R"(","value":)" + value + "}]}]"),
        kPinned);
  };
  const std::string pool = R"({"key":"pool","operator":"Exists"})";
  EXPECT_TRUE(violations_of("preserves-others", adds("0/matchExpressions/-", pool)).empty());
  const auto violations =
      violations_of("preserves-others", adds("-", R"({"matchExpressions":[)" + pool + "]}"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_NE(violations[0].reason.find("alternatives"), std::string::npos);
  EXPECT_EQ(violations_of("preserves-others", adds("0/matchExpressions/0/values/0", R"("hdd")")).size(), 2u)
      << "what the user's own requirement says is another";
}

cases::Case prioritised(const char* patch) {
  auto value = asked_by(script_of(patch));
  value.cluster.admission_plugins = {"Priority"};
  value.cluster.objects.push_back(document::read_json(R"({"apiVersion":"scheduling.k8s.io/v1",
      "kind":"PriorityClass","metadata":{"name":"high"},"value":7})")
                                      .value());
  return value;
}

/// The plugin comes round again, and finds its own value beside another class.
TEST(Silence, OnAPriorityThatFitsItsClass) {
  constexpr const char* kAlone =
      R"([{"patch":[{"op":"add","path":"/spec/priorityClassName","value":"high"}]}])";
  constexpr const char* kWithItsValue =
      R"([{"patch":[{"op":"add","path":"/spec/priorityClassName","value":"high"},
                    {"op":"replace","path":"/spec/priority","value":7}]}])";
  constexpr const char* kAnew =
      R"([{"when":{"absent":"/spec/priorityClassName"},
           "patch":[{"op":"add","path":"/spec/priorityClassName","value":"high"},
                    {"op":"remove","path":"/spec/priority"}]}])";
  constexpr const char* kUnknown =
      R"([{"patch":[{"op":"add","path":"/spec/priorityClassName","value":"theirs"}]}])";
  const auto violations = violations_of("valid-spec", prioritised(kAlone));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.priorityClassName");
  EXPECT_EQ(violations[0].webhook, "c/a.b.c");
  EXPECT_TRUE(violations_of("valid-spec", prioritised(kWithItsValue)).empty());
  EXPECT_TRUE(violations_of("valid-spec", prioritised(kAnew)).empty());
  EXPECT_TRUE(violations_of("preserves-others", prioritised(kAnew)).empty()) << "the plugin wrote the value";
  EXPECT_TRUE(violations_of("valid-spec", prioritised(kUnknown)).empty())
      << "a class that only the user's cluster has";
}

/// The plugin that gives every Pod its account is off in some Cases, and in no cluster.
TEST(Silence, OnATokenForThePodsAccount) {
  const auto reported = [](const char* path) {
    const std::string token =
        std::string(R"({"name":"t","projected":{"sources":[{"serviceAccountToken":{"path":")") + path +
        R"("}}]}})";
    return violations_of("valid-spec", asked_by(script_of(R"([{"when":{"absent":"/spec/volumes"},
        "patch":[{"op":"add","path":"/spec/volumes","value":[)" +
                                                          token + "]}]}]")));
  };
  EXPECT_TRUE(reported("token").empty());
  EXPECT_EQ(reported("../token").size(), 1u) << "what else is wrong with it";
}

/// Who makes a value of the name, and of the generateName where there is none, does as he should, if he cuts
/// one that is too long.
TEST(Silence, OnWhatIsMadeOfTheGenerateName) {
  const auto names = [](bool knows_generated, std::size_t longest) {
    return changing([=](Value& pod, int) {
      const Value& metadata = pod["metadata"];
      const bool is_named = !metadata["name"].text().empty();
      const document::Name from(is_named || !knows_generated ? "name" : "generateName");
      const std::string name = std::string(metadata[from].text()).substr(0, longest) + "-x";
      pod.edit("metadata").edit("labels").set("of", name);
    });
  };
  constexpr std::size_t kShort = 61, kLong = 62;
  EXPECT_TRUE(violations_of("request-context", asked_by(kHandler), names(true, kShort)).empty());
  EXPECT_FALSE(violations_of("request-context", asked_by(kHandler), names(false, kShort)).empty());
  EXPECT_FALSE(violations_of("request-context", asked_by(kHandler), names(true, kLong)).empty());
}

/// A user's mount or variable that only resembles the injected one keeps nobody from injecting.
TEST(Silence, OnAGuardThatKnowsItsOwn) {
  const auto gives = [](const char* list, Value element, const char* key, auto is_own) {
    return changing([=](Value& pod, int) {
      const auto there = pod["spec"]["containers"].at(0)[document::Name(list)].elements();
      const std::string wanted(element[document::Name(key)].text());
      if (std::any_of(there.begin(), there.end(),
                      [&](const Value& one) { return is_own(one[document::Name(key)].text(), wanted); }))
        return;
      pod.edit("spec").edit("containers").edit(0).edit(document::Name(list)).push_back(element);
    });
  };
  const auto equals = [](std::string_view text, const std::string& own) { return text == own; };
  const auto begins = [](std::string_view text, const std::string& own) { return text.starts_with(own); };
  const auto ends = [](std::string_view text, const std::string& own) { return text.ends_with(own); };
  constexpr const char* kVolume = R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"v","emptyDir":{}}],
      "containers":[{"name":"main","image":"x:1"}]}})";
  const Value mount{{"name", "v"}, {"mountPath", "/own"}}, variable{{"name", "OWN"}, {"value", "v"}};
  const auto reported = [&](const webhooks::Handler& handler) {
    return violations_of("request-context", asked_by(kHandler, kVolume), handler);
  };
  EXPECT_TRUE(reported(gives("volumeMounts", mount, "mountPath", equals)).empty());
  EXPECT_TRUE(reported(gives("env", variable, "name", equals)).empty());
  EXPECT_EQ(reported(gives("volumeMounts", mount, "mountPath", begins)).size(), 1u);
  EXPECT_EQ(reported(gives("env", variable, "name", ends)).size(), 1u);
  constexpr const char* kTwoOfOneName = R"({"metadata":{"name":"p"},"spec":{"containers":[
      {"name":"main","image":"x:1"},{"name":"main","image":"x:1","env":[{"name":"LOG","value":"a"}]}]}})";
  EXPECT_TRUE(
      violations_of("request-context", asked_by(kHandler, kTwoOfOneName),
                    changing([](Value& pod, int) { pod.edit("metadata").edit("labels").set("done", "yes"); }))
          .empty())
      << "the other container of that name has it";
}

/// The same annotation may be written elsewhere in the form that the other place requires.
TEST(Silence, OnATextInOtherWords) {
  const auto reported = [](std::string (*spell)(const std::string& text), const char* at) {
    const auto writes = changing([=](Value& pod, int) {
      const std::string text(pod["metadata"]["annotations"]["c"].text());
      if (at[0] == 'l') return pod.edit("metadata").edit("labels").set("copy", spell(text));
      Value entry{{"name", "COPY"}, {"value", spell(text)}};
      pod.edit("spec").edit("containers").edit(0).set("env", Value::list({std::move(entry)}));
    });
    return violations_of("text-survives", asked_by(kHandler), writes).size();
  };
  const auto dollars = [](const std::string& text) {
    std::string twice;
    for (const char c : text) twice += c == '$' ? "$$" : std::string(1, c);
    return twice;
  };
  const auto json = [](const std::string& text) { return document::write_json(Value{{"of", text}}); };
  const auto pasted = [](const std::string& text) { return "{\"of\":\"" + text + "\"}"; };
  const auto cleaned = [](const std::string& text) {
    return text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"));
  };
  EXPECT_EQ(reported(dollars, "env"), 0u);
  EXPECT_EQ(reported(json, "env"), 0u);
  EXPECT_EQ(reported(cleaned, "label"), 0u) << "not every text can be a label's";
  EXPECT_EQ(reported(cleaned, "env"), 1u);
  EXPECT_EQ(reported([](const std::string& text) { return "a" + text; }, "env"), 0u);
  EXPECT_EQ(reported(pasted, "env"), 0u) << "an env may hold what is no JSON";
}

/// The plugin mounts its token when it comes round, in the containers that are there.
TEST(Silence, OnTheTokenOfAContainerThatCameLate) {
  auto value = asked_by(script_of(R"([{"when":{"all":[{"named":{"path":"/spec/containers","name":"late"}},
      {"not":{"named":{"path":"/spec/initContainers","name":"i"}}}]},
      "patch":[{"op":"add","path":"/spec/initContainers","value":[{"name":"i","image":"i:1"}]}]}])"));
  Value neighbour = value.cluster.objects.front();
  neighbour.edit("metadata").set("name", "d");
  value.cluster.objects.push_back(std::move(neighbour));
  value.cluster.admission_plugins = {"ServiceAccount"};
  value.webhooks.emplace("d/a.b.c",
                         script_of(R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"late"}}},
      "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"late","image":"l:1"}}]}])"));
  EXPECT_TRUE(violations_of("order-independent", value).empty());
}

/// `add` puts a list in the place of one that is there, as `replace` does.
TEST(Silence, OnAListThatIsNew) {
  constexpr const char* kAdd =
      R"([{"patch":[{"op":"add","path":"/spec/tolerations","value":[{"key":"a","operator":"Exists"}]}]}])";
  EXPECT_TRUE(violations_of("patch-well-formed", asked_by(script_of(kAdd))).empty());
  const auto violations =
      violations_of("patch-well-formed", asked_by(script_of(kAdd), R"({"metadata":{"name":"p"},"spec":{
      "tolerations":[{"key":"b","operator":"Exists"}],"containers":[{"name":"main","image":"x:1"}]}})"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "/spec/tolerations");
}

/// A webhook that does not look sets a label to what the user has already: nobody is harmed. An operation
/// that does so twice in one patch is a mistake.
TEST(Silence, OnAnOperationThatSetsWhatIsThere) {
  constexpr const char* kSet = R"({"op":"add","path":"/metadata/labels/team","value":"web"})";
  constexpr const char* kLabelled = R"({"metadata":{"name":"p","labels":{"team":"web"}},"spec":{
      "containers":[{"name":"main","image":"x:1"}]}})";
  const auto sending = [&](const std::string& operations) {
    return asked_by(script_of(R"([{"patch":[)" + operations + "]}]"), kLabelled);
  };
  const auto judgement = judgement_of("patch-well-formed", sending(kSet));
  EXPECT_FALSE(std::holds_alternative<Violated>(judgement));
  ASSERT_EQ(observations_of(judgement).size(), 1u);
  EXPECT_EQ(observations_of(judgement)[0].reason,
            "sends the operation add /metadata/labels/team where it has no effect");
  constexpr const char* kOther = R"({"op":"add","path":"/metadata/labels/team","value":"db"})";
  EXPECT_EQ(violations_of("patch-well-formed", sending(std::string(kOther) + "," + kOther)).size(), 1u);
}

/// A list of the containers in their order, in which one has no name: no server takes it, and webhooks meet
/// it.
TEST(Silence, OnTheOrderOfAListWithANamelessOne) {
  const auto lists = [](bool only_first) {
    return changing([only_first](Value& pod, int) {
      std::string names;
      const auto containers = pod["spec"]["containers"].elements();
      for (std::size_t i = 0; i < (only_first ? 1 : containers.size()); ++i)
        names += (i > 0 ? "," : "") + std::string(containers[i]["name"].text());
      pod.edit("metadata").edit("annotations").set("names", names);
    });
  };
  const auto reported = [](const webhooks::Handler& handler) {
    return violations_of("order-independent",
                         asked_by(kHandler, R"({"metadata":{"name":"p"},"spec":{"containers":[{}]}})"),
                         handler);
  };
  EXPECT_EQ(reported(lists(false)).size(), 0u);
  EXPECT_EQ(reported(lists(true)).size(), 1u);
}

/// VerifyAdmissionResponse takes a v1beta1 answer without apiVersion, and no v1 answer without one.
TEST(Silence, OnAnAnswerOfV1beta1WithoutItsVersion) {
  const auto reported = [](const char* version) {
    auto value = asked_by(kHandler);
    value.cluster.objects.front()
        .edit("webhooks")
        .edit(0)
        .set("admissionReviewVersions", Value::list({version}));
    return violations_of("protocol", value, [](const webhooks::Call&) {
      webhooks::Answer answer = webhooks::allow();
      answer.api_version = webhooks::kNoApiVersion;
      return answer;
    });
  };
  EXPECT_TRUE(reported("v1beta1").empty());
  EXPECT_FALSE(reported("v1").empty());
}

/// Who echoes the version that he is asked in speaks both; the second is asked for, not remembered.
/// A server sends the first version of the list that it knows, and never the other one.
TEST(Silence, OnAVersionThatNoServerSends) {
  const auto reported = [](bool echoes) {
    auto value = asked_by(kHandler);
    value.cluster.objects.front()
        .edit("webhooks")
        .edit(0)
        .set("admissionReviewVersions", Value::list({"v1", "v1beta1"}));
    const Handlers handlers{{value.webhooks.begin()->first, [echoes](const webhooks::Call& call) {
                               webhooks::Answer answer = webhooks::allow();
                               answer.api_version =
                                   echoes ? "admission.k8s.io/" + std::string(call.review_version)
                                          : "admission.k8s.io/v1";
                               return answer;
                             }}};
    const auto admission = apiserver::admit(value, handlers, {}, {}).value();
    CallMemory memory;
    memory.keep_all(admission);
    const Limits limits;
    const auto judgement = find("protocol")
                               ->ask({.value = value,
                                      .handlers = handlers,
                                      .admission = admission,
                                      .limits = limits,
                                      .memory = &memory});
    return std::holds_alternative<Violated>(judgement);
  };
  EXPECT_FALSE(reported(true));
  EXPECT_FALSE(reported(false));
}

/// A webhook that looks a variable up by its name meets the user's second one at its second call.
TEST(Silence, OnAUsersDuplicatesOneAtATime) {
  const auto appends = changing([](Value& pod, int) {
    auto& env = pod.edit("spec").edit("containers").edit(0).edit("env").edit_elements();
    for (Value& one : env) {
      const std::string text(one["value"].text());
      if (text.ends_with(":/own")) continue;
      return one.set("value", text + ":/own");
    }
  });
  const auto reported = [&](const char* second) {
    const std::string pod = std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
        "image":"x:1","env":[{"name":"PATH","value":"/a"},{"name":")") +
                            second + R"(","value":"/b"}]}]}})";
    return violations_of("idempotent", asked_by(kHandler, pod.c_str()), appends).size();
  };
  EXPECT_EQ(reported("PATH"), 0u);
  EXPECT_EQ(reported("OTHER"), 1u) << "who treats one variable at each call is not ready after the first";
}

TEST(Silence, OfConvergenceOnWhatIsPutBack) {
  const auto again = [](const webhooks::Call& call) {
    std::vector<Value> patch;
    const auto containers = call.object["spec"]["containers"].elements();
    for (std::size_t i = 0; i < containers.size(); ++i) {
      if (containers[i]["name"].text() != "own") continue;
      patch.push_back({{"op", "remove"}, {"path", "/spec/containers/" + std::to_string(i)}});
      break;
    }
    patch.push_back(
        {{"op", "add"}, {"path", "/spec/containers/-"}, {"value", {{"name", "own"}, {"image", "o:1"}}}});
    return webhooks::allow(Value(std::move(patch)));
  };
  EXPECT_TRUE(violations_of("converges", asked_by(kHandler), again).empty());
  const auto seen = judgement_of("idempotent", asked_by(kHandler), again);
  EXPECT_TRUE(std::holds_alternative<Held>(seen)) << "a patch that changes nothing is no defect";
  ASSERT_EQ(observations_of(seen).size(), 1u);
  EXPECT_EQ(observations_of(seen)[0].kind, "empty-patch");
  const auto counts = changing(
      [](Value& pod, int call) { pod.edit("metadata").edit("labels").set("n", std::to_string(call)); });
  const auto violations = violations_of("converges", asked_by(kHandler), counts);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "metadata.labels.n");
}

/// Go ranges over a map in another order each time.
TEST(Silence, OnOperationsInAnotherOrder) {
  const auto labels = [calls = std::make_shared<int>(0)](const webhooks::Call&) {
    std::vector<Value> patch{{{"op", "add"}, {"path", "/metadata/labels/x"}, {"value", "1"}},
                             {{"op", "add"}, {"path", "/metadata/labels/y"}, {"value", "2"}}};
    if (++*calls % 2 == 0) std::swap(patch[0], patch[1]);
    return webhooks::allow(Value(std::move(patch)));
  };
  const auto seen = judgement_of("deterministic", asked_by(kHandler), labels);
  EXPECT_TRUE(std::holds_alternative<Held>(seen));
  ASSERT_EQ(observations_of(seen).size(), 1u);
  EXPECT_EQ(observations_of(seen)[0].kind, "patch-order");
}

/// Sends HTTP probes of these kinds to its agent, which has a record of what they asked.
webhooks::Handler probing(std::vector<const char*> kinds) {
  return changing([kinds = std::move(kinds)](Value& pod, int) {
    for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
      for (const char* kind : kinds) {
        const Value asks = pod["spec"]["containers"].at(i)[Name(kind)]["httpGet"];
        if (asks.is_null() || asks["path"].text() == "/agent") continue;
        Value& container = pod.edit("spec").edit("containers").edit(i);
        container.edit(Name(kind)).set("httpGet", {{"path", "/agent"}, {"port", 9}, {"scheme", "HTTP"}});
        container.edit("env").push_back({{"name", kind}, {"value", document::write_json(asks)}});
      }
    }
  });
}

/// Who probes readiness alone, or HTTP alone, says what it is for; who treats two kinds forgot the third.
TEST(Silence, OnProbesThatAWebhookIsNotFor) {
  const char* property = "covers-all-containers";
  const auto kinds_left_out = [&](const webhooks::Handler& handler) {
    std::vector<std::string> shapes;
    for (const Violation& violation : violations_of(property, asked_by(kHandler), handler)) {
      if (violation.shape.find("sidecar") == std::string::npos) shapes.push_back(violation.shape);
    }
    return shapes;
  };
  EXPECT_TRUE(kinds_left_out(probing({"readinessProbe"})).empty());
  EXPECT_EQ(observations_of(judgement_of(property, asked_by(kHandler), probing({"readinessProbe"}))).size(),
            5u)
      << "one of them about native sidecars";
  EXPECT_TRUE(kinds_left_out(probing({"readinessProbe", "livenessProbe", "startupProbe"})).empty());
  EXPECT_EQ(kinds_left_out(probing({"readinessProbe", "livenessProbe"})),
            std::vector<std::string>{"a startupProbe:spec.containers[*].startupProbe"});
}

/// One bug is reported once, whatever number or hash its names are made with.
TEST(Shape, HasNoCounters) {
  const auto shape = [](const char* name) {
    const Value pod{{"spec", {{"volumes", Value::list({Value{{"name", name}}})}}}};
    return shape_of("spec.volumes[0].name", pod, pod);
  };
  EXPECT_EQ(shape("setup-12"), "spec.volumes[name=setup-#].name");
  EXPECT_EQ(shape("cfg-7f3a0"), shape("cfg-0011e"));
  EXPECT_EQ(shape("agent-data"), "spec.volumes[name=agent-data].name");
  EXPECT_EQ(shape("data-v1"), "spec.volumes[name=data-v1].name");
  EXPECT_EQ(shape("s3"), "spec.volumes[name=s3].name");
}

}  // namespace
}  // namespace fixpoint::properties
