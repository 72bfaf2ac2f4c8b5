"""topolvm-hook: tells the scheduler extender how much storage the volumes of a new Pod want."""
import sys

from admission import Denied, serve
from topolvm import getter, quantity

FIXED = sys.argv[1:] == ["fixed"]
CAPACITY = "topolvm.cybozu.com/capacity"
INLINE_SIZE = "topolvm.cybozu.com/size"
DEFAULT_SIZE = quantity.GIB


def mutate(pod, request):
    spec = pod["spec"]
    if not spec.get("containers"):
        raise Denied("pod has no containers")
    if not spec.get("volumes"):
        return
    # A Pod of a template may come without a namespace of its own.
    namespace = pod["metadata"].get("namespace") or request["namespace"]
    total = claimed(spec["volumes"], namespace) + inline(spec["volumes"])
    if total == 0:
        return
    resources = spec["containers"][0].setdefault("resources", {})
    for kind in ("requests", "limits"):
        resources.setdefault(kind, {})[CAPACITY] = str(total)


def claimed(volumes, namespace):
    """Bytes of the claims that are still to be provisioned."""
    total = 0
    for volume in volumes:
        source = volume.get("persistentVolumeClaim")
        if source is None:
            continue
        try:
            claim = getter.claim(namespace, source["claimName"])
        except getter.NotFound as error:
            print("failed to get pvc", namespace, source["claimName"], error, file=sys.stderr)
            if not FIXED:
                raise
            # A Pod may be created before its claims; TopoLVM does not schedule such Pods.
            continue
        name = claim["spec"].get("storageClassName")
        if not name or not getter.is_target(name):
            continue
        if claim.get("status", {}).get("phase") != "Pending":
            # The Pod goes to the node of its bound volume anyhow.
            return 0
        total += size_of(claim["spec"].get("resources", {}).get("requests", {}).get("storage"))
    return total


def size_of(storage):
    wanted = quantity.value(storage) if storage is not None else 0
    return quantity.whole_gib(wanted) if wanted > DEFAULT_SIZE else DEFAULT_SIZE


def inline(volumes):
    """Bytes of the ephemeral CSI volumes; their attribute counts GiB."""
    total = 0
    for volume in volumes:
        source = volume.get("csi")
        if source is None or source["driver"] != getter.PLUGIN:
            continue
        size = source.get("volumeAttributes", {}).get(INLINE_SIZE)
        total += int(size) * quantity.GIB if size is not None else DEFAULT_SIZE
    return total


serve(mutate)
