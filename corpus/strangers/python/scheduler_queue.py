"""Admission controller of YuniKorn: redirects Pods to its scheduler and names their application and queue."""
import sys

from admission import Denied, serve
from yunikorn import caches, conf, userinfo

FIXED = sys.argv[1:] == ["fixed"]
SCHEDULER = "yunikorn"
APP, APPLICATION_ID, QUEUE, SPARK_APP = "app", "applicationId", "queue", "spark-app-selector"
APP_ID_ANNOTATION, QUEUE_ANNOTATION = "yunikorn.apache.org/app-id", "yunikorn.apache.org/queue"
IGNORE = "yunikorn.apache.org/ignore-application"
TEMPLATED = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"}


def should_process(namespace):
    chosen = caches.namespace_flag(namespace, caches.ENABLE_YUNIKORN)
    if chosen is not None:
        return chosen
    process = "filtering.processNamespaces"
    return (conf.is_empty(process) or conf.matches(process, namespace)) and not conf.matches(
        "filtering.bypassNamespaces", namespace)


def should_label(namespace):
    chosen = caches.namespace_flag(namespace, caches.GENERATE_APP_ID)
    if chosen is not None:
        return chosen
    label = "filtering.labelNamespaces"
    return (conf.is_empty(label) or conf.matches(label, namespace)) and not conf.matches(
        "filtering.noLabelNamespaces", namespace)


def mutate(item, request):
    kind, namespace = request["kind"]["kind"], request["namespace"] or "default"
    if request["operation"] == "UPDATE":
        if kind == "Pod":
            check_update(item, request, namespace)
    elif kind == "Pod":
        process_pod(item, request, namespace)
    else:
        process_workload(item, request, namespace, kind)


def check_update(pod, request, namespace):
    if (pod["metadata"].get("labels") or {}).get(APP) == SCHEDULER or not should_process(namespace):
        return
    values = [caches.annotation(version, userinfo.USER_INFO) for version in (request["oldObject"], pod)]
    if values[0] != values[1]:
        raise Denied("user info annotation change is not allowed")


def process_workload(item, request, namespace, kind):
    if kind == "CronJob":
        template = item["spec"]["jobTemplate"]["spec"]["template"]
    elif kind in TEMPLATED:
        template = item["spec"]["template"]
    else:
        return
    if kind == "ReplicaSet" and is_system_user(request["userInfo"]):
        return
    if should_process(namespace):
        metadata = template.get("metadata") or {}
        userinfo.ensure(metadata, request["userInfo"])
        if metadata:
            template["metadata"] = metadata


def is_system_user(user):
    return conf.matches("accessControl.systemUsers", user.get("username", ""))


def process_pod(pod, request, namespace):
    metadata = pod["metadata"]
    if (metadata.get("labels") or {}).get(APP) == SCHEDULER or not should_process(namespace):
        return
    userinfo.ensure(metadata, request["userInfo"])
    pod["spec"]["schedulerName"] = SCHEDULER
    if should_label(namespace):
        update_labels(metadata, namespace)
        update_preemption(pod)
    else:
        metadata["annotations"] = (metadata.get("annotations") or {}) | {IGNORE: "true"}


def update_labels(metadata, namespace):
    labels, annotations = dict(metadata.get("labels") or {}), metadata.get("annotations") or {}
    has_application = labels.get(SPARK_APP) or labels.get(APPLICATION_ID)
    if not has_application and not said(annotations, APP_ID_ANNOTATION):
        labels[APPLICATION_ID] = application_id(namespace, metadata.get("uid", ""))
    default = conf.text("filtering.defaultQueue")
    if QUEUE not in labels and default and not said(annotations, QUEUE_ANNOTATION):
        labels[QUEUE] = default
    metadata["labels"] = labels


def said(annotations, key):
    return FIXED and bool(annotations.get(key))


def application_id(namespace, uid):
    """All unnamed Pods of a namespace make one application, unless each is to be its own."""
    if conf.flag("filtering.generateUniqueAppId"):
        return f"{namespace}-{uid or 'uniqueautogen'}"[:63]
    return f"yunikorn-{namespace}-autogen"[:63]


def update_preemption(pod):
    if caches.annotation(pod, caches.ALLOW_PREEMPTION) in ("true", "false"):
        return
    allowed = str(caches.preempt_self_allowed(pod["spec"].get("priorityClassName", ""))).lower()
    metadata = pod["metadata"]
    metadata["annotations"] = (metadata.get("annotations") or {}) | {caches.ALLOW_PREEMPTION: allowed}


serve(mutate)
