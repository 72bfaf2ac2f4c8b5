"""The source Pod, kept as a manifest in an annotation of the proxy Pod that replaces it."""
import copy
import json

PREFIX = "multicluster.admiralty.io/"
MANIFEST = PREFIX + "sourcepod-manifest"


def strict(text):
    """Parses JSON of one object; anything else is an error."""
    parsed = json.loads(text)
    if not isinstance(parsed, dict):
        raise ValueError("error unmarshaling JSON: cannot unmarshal into a Go value")
    return parsed


def unmarshal(text, target):
    """Fills target. Like the library, it reports no error where there is no target to fill."""
    parsed = strict(text)
    if target is not None:
        target.update(parsed)


def remember(pod):
    """Saves the Pod as its user wrote it and gives it back. Only the first call of several must do so."""
    saved = copy.deepcopy(pod)
    pod["metadata"]["annotations"][MANIFEST] = json.dumps(saved, sort_keys=True)
    return saved
