"""AWSMachineTemplate of infrastructure.cluster.x-k8s.io."""
import copy
import os
import re

SECRETS_MANAGER = "secrets-manager"
PARAMETER_STORE = "ssm-parameter-store"
DEFAULT_BACKEND = os.environ.get("CAPA_DEFAULT_SECRETS_BACKEND", SECRETS_MANAGER)
MINIMUM_ROOT_VOLUME = 8


def machine_spec(template):
    return ((template.get("spec") or {}).get("template") or {}).get("spec") or {}


def default(template):
    spec = machine_spec(template)
    if not spec:
        return
    cloud_init = spec.get("cloudInit") or {}
    if not cloud_init.get("insecureSkipSecretsManager") and not cloud_init.get("secureSecretsBackend"):
        spec["cloudInit"] = {**cloud_init, "secureSecretsBackend": DEFAULT_BACKEND}


def validate_create(template):
    spec, errors = machine_spec(template), []
    if spec.get("providerID"):
        errors.append("spec.template.spec.providerID: Forbidden: cannot be set in templates")
    return errors + validate_cloud_init(spec) + validate_root_volume(spec) + validate_ssh_key_name(spec)


def validate_cloud_init(spec):
    cloud_init, errors = spec.get("cloudInit") or {}, []
    path = "spec.template.spec.cloudInit"
    if cloud_init.get("insecureSkipSecretsManager"):
        for key in ("secretPrefix", "secretCount", "secureSecretsBackend"):
            if cloud_init.get(key):
                errors.append(f"{path}.{key}: Forbidden: cannot be set if "
                              f"{path}.insecureSkipSecretsManager is true")
        return errors
    if bool(cloud_init.get("secretPrefix")) != bool(cloud_init.get("secretCount")):
        errors.append(f"{path}.secretCount: Forbidden: must be set together with {path}.secretPrefix")
    backend = cloud_init.get("secureSecretsBackend")
    if backend and backend not in (SECRETS_MANAGER, PARAMETER_STORE):
        errors.append(f'{path}.secureSecretsBackend: Unsupported value: "{backend}"')
    return errors


def validate_root_volume(spec):
    volume = spec.get("rootVolume")
    if not volume:
        return []
    errors, path = [], "spec.template.spec.rootVolume"
    if volume.get("size", MINIMUM_ROOT_VOLUME) < MINIMUM_ROOT_VOLUME:
        errors.append(f"{path}.size: Invalid value: must be at least {MINIMUM_ROOT_VOLUME}")
    if volume.get("type") in ("io1", "io2") and not volume.get("iops"):
        errors.append(f"{path}.iops: Required value: iops required if type is 'io1' or 'io2'")
    if volume.get("deviceName"):
        errors.append(f"{path}.deviceName: Forbidden: root volume shouldn't have device name")
    return errors


def validate_ssh_key_name(spec):
    name = spec.get("sshKeyName")
    if name and not re.fullmatch(r"[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?", name):
        return ["spec.template.spec.sshKeyName: Invalid value: invalid sshKeyName"]
    return []


def validate_update(old, new, tolerate_new_defaults):
    before, after = copy.deepcopy(machine_spec(old)), copy.deepcopy(machine_spec(new))
    if tolerate_new_defaults:
        forget_new_default(before, after)
    if before != after:
        return ["AWSMachineTemplate.Spec is immutable"]
    return []


def forget_new_default(before, after):
    """A template of an earlier release has no backend; that defaulting has added it since is no change."""
    was, now = before.get("cloudInit") or {}, after.get("cloudInit") or {}
    if not was.get("secureSecretsBackend") and now.get("secureSecretsBackend") == DEFAULT_BACKEND:
        now.pop("secureSecretsBackend")
        was.pop("secureSecretsBackend", None)
    for spec in (before, after):
        if not spec.get("cloudInit"):
            spec.pop("cloudInit", None)
