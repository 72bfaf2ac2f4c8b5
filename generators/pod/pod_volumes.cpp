#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

constexpr Feature kVolumeFeatures[] = {
    {"volumes/empty-dir", common, Place::volume, R"({"emptyDir": {}})"},
    {"volumes/config-map", common, Place::volume, R"([{"configMap": {"name": "settings"}},
        {"configMap": {"name": "settings", "items": [{"key": "a", "path": "a.yaml", "mode": 292}],
         "optional": true}}])"},
    {"volumes/secret", common, Place::volume,
     R"([{"secret": {"secretName": "keys"}}, {"secret": {"secretName": "keys", "defaultMode": 256}}])"},
    {"volumes/claim", exotic, Place::volume,
     R"([{"persistentVolumeClaim": {"claimName": "models"}},
         {"persistentVolumeClaim": {"claimName": "models", "readOnly": true}}])"},
    {"volumes/memory", exotic, Place::volume, R"({"emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}})"},
    {"volumes/no-source", exotic, Place::volume},
    {"volumes/projected", exotic, Place::volume,
     R"([{"projected": {"sources": [{"secret": {"name": "keys"}}, {"configMap": {"name": "settings"}},
            {"downwardAPI": {"items": [{"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}}]}}]}},
         {"projected": {"sources": [{"serviceAccountToken": {"path": "token"}}], "defaultMode": 420}}])"},
    {"volumes/downward", exotic, Place::volume,
     R"([{"downwardAPI": {"items": [{"path": "name", "fieldRef": {"fieldPath": "metadata.name"}}]}},
         {"downwardAPI": {"items": [{"path": "cpu",
            "resourceFieldRef": {"containerName": "main", "resource": "limits.cpu"}}]}}])"},
    {"volumes/host-path", exotic, Place::volume,
     R"([{"hostPath": {"path": "/var/log"}}, {"hostPath": {"path": "/dev/fuse", "type": "CharDevice"}}])"},
    {"volumes/csi", exotic, Place::volume,
     R"([{"csi": {"driver": "csi.example.io"}},
         {"csi": {"driver": "csi.example.io", "readOnly": true, "volumeAttributes": {"a/b": "1",
         "x~y": "2", "~1": "3"}}}])"},
    {"volumes/ephemeral", exotic, Place::volume,
     R"({"ephemeral": {"volumeClaimTemplate": {"metadata": {"labels": {"a": "b"}}, "spec":
         {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}})"},
    {"volumes/nfs", exotic, Place::volume, R"({"nfs": {"server": "nfs.example", "path": "/models"}})"},
    {"volumes/legacy", exotic, Place::volume,
     R"([{"gitRepo": {"repository": "https://git.example/x", "directory": "."}},
         {"iscsi": {"targetPortal": "10.0.0.1:3260", "iqn": "iqn.2001-04.com.example:storage", "lun": 0}},
         {"azureFile": {"secretName": "s", "shareName": "f"}}, {"flexVolume": {"driver": "a/b",
         "options": {"x~y/z": "1"}}},
         {"awsElasticBlockStore": {"volumeID": "v"}}, {"rbd": {"monitors": ["10.0.0.1"], "image": "i"}},
         {"cephfs": {"monitors": ["10.0.0.1"]}}, {"fc": {"targetWWNs": ["1"], "lun": 2}},
         {"glusterfs": {"endpoints": "e", "path": "p"}}])"},
    {"volumes/image", exotic, Place::volume,
     R"([{"image": {"reference": "models:1"}}, {"image": {"reference": "models:1",
         "pullPolicy": "IfNotPresent"}}])"},
    {"volumes/zero-mode", exotic, Place::volume, R"([{"secret": {"secretName": "keys", "defaultMode": 0}}])"},
    {"volumes/empty-items", exotic, Place::volume, R"({"configMap": {"name": "settings", "items": []}})"},
    {"volumes/empty-list", exotic, Place::spec, R"([{"volumes": []}, {"volumes": null}])"},
    {"volumes/device", exotic, Place::spec,
     R"({"volumes": [{"name": "raw", "persistentVolumeClaim": {"claimName": "block"}}]})",
     [](PodBuilder& builder, Value&) {
       builder.some_containers(true, [](Value& one) {
         one.edit("volumeDevices").push_back({{"name", "raw"}, {"devicePath", "/dev/xvda"}});
       });
     }},
    {"mounts/read-only", common, Place::mount, R"({"readOnly": true})"},
    {"mounts/sub-path", exotic, Place::mount, R"JSON([{"subPath": "a/b"}, {"subPathExpr": "$(MODE)"}])JSON"},
    {"mounts/propagation", exotic, Place::mount,
     R"([{"mountPropagation": "HostToContainer"}, {"mountPropagation": "None"}])"},
    {"mounts/recursive-read-only", exotic, Place::mount,
     R"([{"readOnly": true, "recursiveReadOnly": "Enabled"}, {"readOnly": true,
         "recursiveReadOnly": "IfPossible"}])"},
    {"mounts/one-volume-twice",
     exotic,
     Place::volume,
     {},
     [](PodBuilder& builder, Value& volume_at) {
       merge_into(volume_at, {{"emptyDir", Value::empty_object()}});
       const Value name = builder.add_volume(volume_at);
       builder.mount(name), builder.mount(name, {{"subPath", "other"}});
     }},
    {"mounts/slash-behind", exotic, Place::any_container,
     R"({"volumeMounts": [{"name": "slash", "mountPath": "/mnt/"}]})",
     [](PodBuilder& builder, Value&) {
       merge_into(builder.spec, {{"volumes", Value::list({Value{{"name", "slash"}}})}});
     }},
    {"mounts/nested-paths", exotic, Place::any_container,
     R"({"volumeMounts": [{"name": "outer", "mountPath": "/mnt"}, {"name": "outer",
         "mountPath": "/mnt/models"}]})",
     [](PodBuilder& builder, Value&) {
       merge_into(builder.spec, {{"volumes", Value::list({Value{{"name", "outer"}}})}});
     }},
    {"mounts/relative-path", exotic, Place::any_container,
     R"({"volumeMounts": [{"name": "rel", "mountPath": "models"}]})",
     [](PodBuilder& builder, Value&) {
       merge_into(builder.spec, {{"volumes", Value::list({Value{{"name", "rel"}}})}});
     }},
    {"volumes/name-twice",
     defect,
     Place::spec,
     {},
     [](PodBuilder& builder, Value& spec_at) {
       const Value& name = builder.word(NameKind::volume);
       for (int i = 0; i < 2; ++i)
         spec_at.edit("volumes").push_back({{"name", name}, {"emptyDir", Value::empty_object()}});
     }},
    {"volumes/two-sources", defect, Place::volume, R"({"emptyDir": {}, "secret": {"secretName": "keys"}})"},
    {"volumes/upper-case-name", defect, Place::spec, R"({"volumes": [{"name": "Data", "emptyDir": {}}]})"},
    {"volumes/empty-claim", defect, Place::volume, R"({"persistentVolumeClaim": {}})"},
    {"mounts/no-volume", defect, Place::any_container,
     R"({"volumeMounts": [{"name": "nowhere", "mountPath": "/nowhere"}]})"},
    {"mounts/path-twice", defect, Place::any_container,
     R"({"volumeMounts": [{"name": "one", "mountPath": "/same"}, {"name": "two", "mountPath": "/same"}]})",
     [](PodBuilder& builder, Value&) {
       merge_into(builder.spec, {{"volumes", Value::list({Value{{"name", "one"}}, Value{{"name", "two"}}})}});
     }},
    {"mounts/sub-path-upwards", defect, Place::mount, R"({"subPath": "../etc"})"},
    {"mounts/no-path", defect, Place::mount, R"({"mountPath": ""})"},
};

}  // namespace

std::span<const Feature> volume_features() { return kVolumeFeatures; }

}  // namespace fixpoint::generators
