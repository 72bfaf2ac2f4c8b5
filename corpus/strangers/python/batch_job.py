"""Defaults of batch jobs: the queue, the scheduler, how often a task is tried again."""
from admission import serve

DEFAULT_QUEUE = "default"
DEFAULT_SCHEDULER = "batch-scheduler"
DEFAULT_MAX_RETRY = 3


def set_task_defaults(index, task):
    if not task.get("name"):
        task["name"] = f"task{index}"
    if not task.get("maxRetry"):
        task["maxRetry"] = DEFAULT_MAX_RETRY
    if task.get("minAvailable") is None and task.get("replicas") is not None:
        task["minAvailable"] = task["replicas"]


def mutate(job, request):
    spec = job.setdefault("spec", {})
    if not spec.get("queue"):
        spec["queue"] = DEFAULT_QUEUE
    if not spec.get("schedulerName"):
        spec["schedulerName"] = DEFAULT_SCHEDULER
    for index, task in enumerate(spec.get("tasks") or []):
        set_task_defaults(index, task)


serve(mutate)
