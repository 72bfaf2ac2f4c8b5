"""The seed webhook of the Kubermatic Kubernetes Platform: mutation of Clusters."""
import sys

from admission import serve
from kubermatic.defaulting import Defaults
from kubermatic.providers import provider_for

FIXED = sys.argv[1:] == ["fixed"]
defaults = Defaults.from_environment()


class Failed(Exception):
    """Answered with code 500, as webhook.Errored does."""


def mutate(cluster, request):
    operation = request.get("operation")
    if operation == "DELETE":
        return
    deleted = cluster["metadata"].get("deletionTimestamp") is not None
    if operation == "CREATE":
        apply_defaults(cluster)
    elif operation == "UPDATE":
        # Defaults are also set for Clusters that were made by an earlier release.
        if not (FIXED and deleted):
            apply_defaults(cluster)
        mutate_update(request.get("oldObject") or {}, cluster)


def apply_defaults(cluster):
    defaults.apply(cluster)
    provider = provider_for(cluster)
    if provider is None:
        return
    try:
        provider.default_cloud_spec(cluster)
    except LookupError as error:
        raise Failed(f"cluster mutation request failed: {error}") from None


def mutate_update(old, cluster):
    """The CCM and CSI migration of OpenStack clusters: once the external cloud provider is switched on."""
    openstack = cluster["spec"].get("cloud", {}).get("openstack")
    if openstack is None:
        return
    feature = "externalCloudProvider"
    now = (cluster["spec"].get("features") or {}).get(feature, False)
    before = ((old.get("spec") or {}).get("features") or {}).get(feature, False)
    if now and not before:
        annotations = cluster["metadata"].setdefault("annotations", {})
        annotations["ccm-migration.k8c.io/migration-needed"] = ""
        annotations["csi-migration.k8c.io/migration-needed"] = ""
        openstack["useOctavia"] = True


serve(mutate)
