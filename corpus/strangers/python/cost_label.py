"""Copies the project of the billing annotation to a label, by which the cost report groups Pods."""
import re

from admission import serve

ANNOTATION = "billing.example.io/project"
LABEL = "billing.example.io/project"
UNASSIGNED = "unassigned"


def slug(project):
    """Data Platform -> data-platform."""
    return re.sub(r"[^a-z0-9]+", "-", project.lower())[:63] or UNASSIGNED


def mutate(pod, request):
    metadata = pod["metadata"]
    project = (metadata.get("annotations") or {}).get(ANNOTATION)
    if project is None:
        return
    labels = metadata.get("labels") or {}
    if LABEL not in labels:
        metadata["labels"] = {**labels, LABEL: slug(project.strip())}


serve(mutate)
