"""Lets Pods pull from the team's registry: makes the pull secret in their namespace and refers to it."""
import logging

from admission import serve

logging.basicConfig(level=logging.INFO)
SECRET = "team-registry"
REGISTRY = "registry.team.example.com/"
ensured = set()


def ensure_secret(namespace):
    """Creates the Secret, once a namespace."""
    if namespace not in ensured:
        logging.info("creating Secret %s/%s", namespace, SECRET)
        ensured.add(namespace)


def pulls_from_team(spec):
    containers = spec["containers"] + (spec.get("initContainers") or [])
    return any(container.get("image", "").startswith(REGISTRY) for container in containers)


def mutate(pod, request):
    spec = pod["spec"]
    if not pulls_from_team(spec):
        return
    if request.get("dryRun"):
        return  # a dry run must write nothing
    ensure_secret(request["namespace"])
    secrets = spec.get("imagePullSecrets") or []
    if not any(secret.get("name") == SECRET for secret in secrets):
        spec["imagePullSecrets"] = secrets + [{"name": SECRET}]


serve(mutate)
