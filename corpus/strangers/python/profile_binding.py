"""Security Profiles Operator: a ProfileBinding gives a profile to the containers of an image."""
import sys

from admission import serve
from bindings import contexts, profiles

FIXED = sys.argv[1:] == ["fixed"]
ANY_IMAGE = "*"


def containers_by_image(spec):
    """Containers and init containers, grouped by the image that they run."""
    groups = {}
    for container in [*spec.get("containers", []), *spec.get("initContainers", [])]:
        groups.setdefault(container.get("image", ""), []).append(container)
    return groups


def selected(groups, image):
    if image == ANY_IMAGE:
        return [container for group in groups.values() for container in group]
    return groups.get(image, [])


def mutate(pod, request):
    if FIXED and request["operation"] != "CREATE":
        print("pod update, skipping mutation", file=sys.stderr)
        return
    groups = containers_by_image(pod["spec"])
    for binding in profiles.bindings(request["namespace"]):
        reference = binding["spec"]["profileRef"]
        write = contexts.WRITERS.get(reference["kind"])
        if write is None:
            print("profile kind", reference["kind"], "not yet supported", file=sys.stderr)
            continue
        containers = selected(groups, binding["spec"]["image"])
        if not containers:
            continue
        profile = profiles.profile(reference["kind"], request["namespace"], reference["name"])
        for container in containers:
            write(container, profile)


serve(mutate)
