"""garage-operator: the defaulting webhook of GarageCluster (garage.rajsingh.info/v1beta2)."""
import sys

from admission import serve
from garage.garagecluster import Defaulter

FIXED = sys.argv[1:] == ["fixed"]
defaulter = Defaulter(honor_zero_replicas=FIXED)


def mutate(cluster, request):
    if request.get("operation") in ("CREATE", "UPDATE"):
        defaulter.default(cluster)


serve(mutate)
