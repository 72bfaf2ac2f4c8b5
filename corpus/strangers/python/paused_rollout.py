"""Holds a new Deployment back until its connections are provisioned: the controller resumes it."""
from admission import serve

ENABLED = "provision.example.io/enabled"
DONE = "provision.example.io/ready"


def mutate(deployment, request):
    annotations = deployment["metadata"].get("annotations") or {}
    if request["operation"] != "CREATE" or annotations.get(ENABLED) != "true" or DONE in annotations:
        return
    deployment["spec"]["paused"] = True


serve(mutate)
