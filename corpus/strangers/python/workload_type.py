"""Labels workloads under progressive delivery with their type, for the objectSelector of another webhook."""
from admission import serve

LABEL = "delivery.example.io/workload-type"


def mutate(workload, request):
    labels = workload["metadata"].get("labels") or {}
    wanted = workload["kind"].lower()
    if labels.get(LABEL) == wanted:
        return
    workload["metadata"]["labels"] = {**labels, LABEL: wanted}


serve(mutate)
