"""Annotations and labels that the JobSet controller writes on the Pod templates of its child Jobs."""

JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name"
REPLICATED_JOB_NAME = "jobset.sigs.k8s.io/replicatedjob-name"
JOB_INDEX = "jobset.sigs.k8s.io/job-index"
JOB_KEY = "jobset.sigs.k8s.io/job-key"
PRIORITY = "jobset.sigs.k8s.io/priority"
EXCLUSIVE_TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology"
NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector"
COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"


def annotations(pod):
    return pod["metadata"].get("annotations") or {}


def labels(pod):
    return pod["metadata"].get("labels") or {}


def controller_of(pod):
    """The owner reference that manages the Pod, or None."""
    for owner in pod["metadata"].get("ownerReferences") or []:
        if owner.get("controller"):
            return owner
    return None
