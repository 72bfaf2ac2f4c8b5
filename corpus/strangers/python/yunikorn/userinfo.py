"""The annotation that tells the scheduler on whose behalf a Pod runs."""
import json

from admission import Denied
from yunikorn import conf

USER_INFO = "yunikorn.apache.org/user.info"


def ensure(metadata, user):
    """Writes the submitter down, or checks the annotation that a trusted submitter wrote."""
    if conf.flag("accessControl.bypassAuth"):
        return
    annotations = metadata.get("annotations") or {}
    name, groups = user.get("username", ""), user.get("groups") or []
    if USER_INFO not in annotations:
        metadata["annotations"] = annotations | {USER_INFO: json.dumps({"user": name, "groups": groups})}
        return
    if not may_set(name, groups):
        raise Denied(f"user {name} with groups [{','.join(groups)}] is not allowed to set user annotation")
    try:
        valid = isinstance(json.loads(annotations[USER_INFO]), dict)
    except ValueError:
        valid = False
    if not valid:
        raise Denied("invalid user info annotation")


def may_set(name, groups):
    if conf.flag("accessControl.trustControllers") and conf.matches("accessControl.systemUsers", name):
        return True
    return conf.matches("accessControl.externalUsers", name) or any(
        conf.matches("accessControl.externalGroups", group) for group in groups)
