#include <array>
#include <set>

#include "generators/draw.h"

namespace fixpoint::generators {

namespace {

using runner::Vocabulary;

/// What a run of decisions leaves out altogether (swarm).
struct Swarm {
  bool init_containers, volumes, env, ports, probes, resources;
};

Swarm draw_swarm(Choices& c) { return {c.coin(), c.coin(), c.coin(), c.coin(), c.coin(), c.coin()}; }

struct Words {
  std::vector<std::string> containers{"main", "app", "worker"};
  std::vector<std::string> volumes{"data", "cache"};
  std::vector<std::string> env{"LOG", "HOME_DIR"};
  std::vector<std::string> paths{"/data", "/cache"};
};

Words words_of(const std::vector<const Vocabulary*>& vocabularies) {
  Words words;
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.begin(), from.begin(), from.end());
  };
  for (const Vocabulary* vocabulary : vocabularies) {
    add(words.containers, vocabulary->containers);
    add(words.volumes, vocabulary->volumes);
    add(words.env, vocabulary->env);
    add(words.paths, vocabulary->mount_paths);
  }
  return words;
}

Value draw_container(Choices& c, const std::string& name, const Words& words, const Swarm& swarm,
                     const std::vector<std::string>& volumes) {
  Value container{{"name", name}, {"image", c.coin() ? "x:1" : "registry.example/app:2"}};
  if (swarm.env && c.coin()) {
    for (auto n = c.below(3); n > 0; --n) {
      container.edit("env").push_back({{"name", c.pick(words.env)}, {"value", c.coin() ? "v" : "$(LOG)"}});
    }
  }
  if (swarm.ports && c.coin()) {
    container.edit("ports").push_back({{"containerPort", c.coin() ? 8080 : 9088}});
  }
  std::set<std::string> paths;
  for (const std::string& volume : volumes) {
    const std::string path = c.pick(words.paths);
    if (c.coin() && paths.insert(path).second) {
      container.edit("volumeMounts").push_back({{"name", volume}, {"mountPath", path}});
    }
  }
  if (swarm.probes && c.coin()) {
    container.set("readinessProbe", {{"httpGet", {{"path", "/healthz"}, {"port", 8080}}}});
  }
  if (swarm.resources && c.coin()) {
    container.set("resources", {{"limits", {{"cpu", "1"}, {"memory", "512Mi"}}}});
  }
  return container;
}

void draw_telling(Choices& c, const std::vector<Vocabulary::Telling>& telling, Value& map) {
  for (const auto& [key, values] : telling) {
    if (c.one_in(4)) continue;
    map.set(key, c.one_in(4) ? c.pick(values) : values.front());
  }
}

}  // namespace

Value draw_pod(Choices& c, const std::vector<const Vocabulary*>& vocabularies) {
  const Words words = words_of(vocabularies);
  const Swarm swarm = draw_swarm(c);
  Value labels = Value::empty_object(), annotations = Value::empty_object();
  for (const Vocabulary* vocabulary : vocabularies) {
    draw_telling(c, vocabulary->labels, labels);
    draw_telling(c, vocabulary->annotations, annotations);
  }
  Value metadata = c.one_in(6) ? Value{{"generateName", "job-"}} : Value{{"name", "web"}};
  if (!labels.empty() || c.one_in(8)) metadata.set("labels", labels);
  if (!annotations.empty() || c.one_in(8)) metadata.set("annotations", annotations);
  std::vector<std::string> volumes;
  Value spec = Value::empty_object();
  if (swarm.volumes) {
    std::set<std::string> names;
    for (auto n = c.below(3); n > 0; --n) {
      const std::string name = c.pick(words.volumes);
      if (!names.insert(name).second) continue;
      volumes.push_back(name);
      spec.edit("volumes").push_back({{"name", name}, {"emptyDir", Value::empty_object()}});
    }
  }
  std::set<std::string> names;
  for (int n = c.between(1, 3); n > 0; --n) {
    const std::string name = c.pick(words.containers);
    if (!names.insert(name).second) continue;
    spec.edit("containers").push_back(draw_container(c, name, words, swarm, volumes));
  }
  if (swarm.init_containers && c.coin()) {
    spec.edit("initContainers").push_back({{"name", "init"}, {"image", "x:1"}});
  }
  return {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata}, {"spec", spec}};
}

}  // namespace fixpoint::generators
