"""An admission webhook on standard input and output: one AdmissionReview a line, one answer a line."""
import base64
import copy
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

Object = dict[str, Any]
Mutate = Callable[[Object, Object], None]


class Denied(Exception):
    """Raised to refuse the request; its text is what the user reads."""


def serve(mutate: Mutate) -> None:
    """Answers every review with what mutate(pod, request) makes of the Pod, which it changes in place."""
    for line in sys.stdin:
        response = respond(json.loads(line)["request"], mutate)
        review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}
        print(json.dumps(review), flush=True)


def respond(request: Object, mutate: Mutate) -> Object:
    response = {"uid": request["uid"], "allowed": True}
    before = request.get("object")
    if before is None:
        return response
    after = copy.deepcopy(before)
    try:
        mutate(after, request)
    except Denied as denied:
        return response | {"allowed": False, "status": {"code": 403, "message": str(denied)}}
    except Exception as error:
        traceback.print_exc()
        return response | {"allowed": False, "status": {"code": 500, "message": f"internal error: {error!r}"}}
    operations = list(patch(before, after, ""))
    if operations:
        response["patchType"] = "JSONPatch"
        response["patch"] = base64.b64encode(json.dumps(operations).encode()).decode()
    return response


def patch(before: Any, after: Any, path: str) -> Iterator[Object]:
    """The operations of a JSON Patch that makes `after` of `before`."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from patch_of_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from patch_of_lists(before, after, path)
    else:
        yield {"op": "replace", "path": path, "value": after}


def patch_of_objects(before: Object, after: Object, path: str) -> Iterator[Object]:
    for key in [*before, *(key for key in after if key not in before)]:
        member = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in after:
            yield {"op": "remove", "path": member}
        elif key not in before:
            yield {"op": "add", "path": member, "value": after[key]}
        else:
            yield from patch(before[key], after[key], member)


def patch_of_lists(before: list[Any], after: list[Any], path: str) -> Iterator[Object]:
    """Elements of equal names at both ends are the same ones; between them, elements are compared in turn."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and name_of(before[head]) == name_of(after[head]):
        head += 1
    tail = 0
    while tail < shorter - head and name_of(before[-1 - tail]) == name_of(after[-1 - tail]):
        tail += 1
    for at in range(shorter - tail):
        yield from patch(before[at], after[at], f"{path}/{at}")
    for at in reversed(range(shorter - tail, len(before) - tail)):
        yield {"op": "remove", "path": f"{path}/{at}"}
    for at in range(shorter - tail, len(after) - tail):
        yield {"op": "add", "path": f"{path}/{at}", "value": after[at]}
    for back in range(tail, 0, -1):
        yield from patch(before[-back], after[-back], f"{path}/{len(after) - back}")


def name_of(element: Any) -> Any:
    return element.get("name", element) if isinstance(element, dict) else element
