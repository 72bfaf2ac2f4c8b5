"""What a cloud provider adds to the spec of its clusters."""
import base64
import json
import os

from cluster.cache import Cache

NAMESPACE = os.environ.get("KUBERMATIC_NAMESPACE", "kubermatic")


class Secrets:
    """The seed client's cache of Secrets."""

    def __init__(self):
        self._cache = None

    def value(self, reference, key):
        self._cache = self._cache or Cache("/api/v1/secrets")
        namespace, name = reference.get("namespace") or NAMESPACE, reference["name"]
        secret = self._cache.get(namespace, name)
        if secret is None:
            raise LookupError(f'error retrieving secret "{name}" from namespace "{namespace}": '
                              f'secrets "{name}" not found')
        if key not in (secret.get("data") or {}):
            raise LookupError(f'secret "{namespace}/{name}" has no key "{key}"')
        return base64.b64decode(secret["data"][key]).decode()


class KubeVirt:
    def __init__(self, secrets):
        self._secrets = secrets

    def default_cloud_spec(self, cluster):
        """Needs the credentials of the infra cluster, to offer its storage classes to the user cluster."""
        spec = cluster["spec"]["cloud"]["kubevirt"]
        if not spec.get("kubeconfig"):
            reference = spec.get("credentialsReference")
            if not reference:
                raise LookupError("no credentials provided")
            self._secrets.value(reference, "kubeConfig")
        offered = spec.setdefault("infraStorageClasses", [])
        named = {each["name"] for each in offered}
        for each in json.loads(os.environ.get("KUBEVIRT_INFRA_STORAGE_CLASSES", '[{"name": "local-path"}]')):
            if each["name"] not in named:
                offered.append(each)


class Azure:
    @staticmethod
    def default_cloud_spec(cluster):
        spec = cluster["spec"]["cloud"]["azure"]
        if not spec.get("loadBalancerSKU"):
            spec["loadBalancerSKU"] = "basic"


SECRETS = Secrets()
PROVIDERS = {"kubevirt": KubeVirt(SECRETS), "azure": Azure()}


def provider_for(cluster):
    cloud = cluster["spec"].get("cloud") or {}
    return next((provider for name, provider in PROVIDERS.items() if cloud.get(name) is not None), None)
