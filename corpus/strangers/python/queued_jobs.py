"""Suspends new Jobs that name a queue, so that the queue decides when they start."""
from admission import serve

QUEUE_LABEL = "queue.example.io/name"


def mutate(job, request):
    labels = job["metadata"].get("labels") or {}
    if request["operation"] != "CREATE" or not labels.get(QUEUE_LABEL):
        return
    job["spec"]["suspend"] = True


serve(mutate)
