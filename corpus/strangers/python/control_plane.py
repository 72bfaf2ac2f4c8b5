"""OpenStackControlPlane of core.openstack.org: the defaulting webhook of openstack-operator."""
import sys

from admission import serve
from openstack.controlplane import default
from openstack.types_v1beta1 import encode

FIXED = sys.argv[1:] == ["fixed"]


def mutate(control_plane, request):
    if request.get("operation") not in ("CREATE", "UPDATE"):
        return
    default(control_plane)
    # controller-runtime compares what was sent with the Go type's own encoding.
    encode(control_plane["spec"], omit_empty_enabled=not FIXED)


serve(mutate)
