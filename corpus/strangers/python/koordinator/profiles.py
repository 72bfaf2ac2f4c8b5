"""ClusterColocationProfiles: which Pods they select and what they write into them."""
import admission

LABEL_QOS = "koordinator.sh/qosClass"
LABEL_PRIORITY = "koordinator.sh/priority"


class Profiles:
    def __init__(self, profiles, namespaces, priority_classes) -> None:
        self._profiles = profiles
        self._namespaces = namespaces
        self._priority_classes = priority_classes

    def matching(self, pod: dict, namespace: str) -> list:
        found = []
        for profile in sorted(self._profiles.all(), key=lambda item: item["metadata"]["name"]):
            spec = profile.get("spec") or {}
            by_namespace, by_labels = spec.get("namespaceSelector"), spec.get("selector")
            if by_namespace is not None and not self._matches_namespace(by_namespace, namespace):
                continue
            if by_labels is not None and not matches(by_labels, (pod.get("metadata") or {}).get("labels") or {}):
                continue
            found.append(profile)
        return found

    def _matches_namespace(self, selector: dict, name: str) -> bool:
        namespace = self._namespaces.get("", name)
        return namespace is not None and matches(selector, namespace["metadata"].get("labels") or {})

    def apply(self, pod: dict, profile: dict) -> None:
        spec = profile.get("spec") or {}
        metadata = pod.setdefault("metadata", {})
        if spec.get("labels"):
            metadata.setdefault("labels", {}).update(spec["labels"])
        if spec.get("annotations"):
            metadata.setdefault("annotations", {}).update(spec["annotations"])
        if spec.get("schedulerName"):
            pod["spec"]["schedulerName"] = spec["schedulerName"]
        if spec.get("qosClass"):
            metadata.setdefault("labels", {})[LABEL_QOS] = spec["qosClass"]
        if spec.get("priorityClassName"):
            self._set_priority(pod, spec["priorityClassName"])
        if spec.get("koordinatorPriority") is not None:
            metadata.setdefault("labels", {})[LABEL_PRIORITY] = str(spec["koordinatorPriority"])

    def _set_priority(self, pod: dict, name: str) -> None:
        priority_class = self._priority_classes.get("", name)
        if priority_class is None:
            raise admission.Denied(f'PriorityClass.scheduling.k8s.io "{name}" not found')
        pod["spec"]["priorityClassName"] = name
        pod["spec"]["priority"] = priority_class["value"]
        pod["spec"]["preemptionPolicy"] = priority_class.get("preemptionPolicy", "PreemptLowerPriority")


def matches(selector: dict, labels: dict) -> bool:
    """An empty selector selects everything."""
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    return all(holds(expression, labels) for expression in selector.get("matchExpressions") or [])


def holds(expression: dict, labels: dict) -> bool:
    key, operator, values = expression["key"], expression["operator"], expression.get("values") or []
    if operator == "In":
        return labels.get(key) in values
    if operator == "NotIn":
        return labels.get(key) not in values
    return (key in labels) == (operator == "Exists")
