"""An example of a webhook as a WSGI application: it has the same bug as the one in ../go."""
from adapter import speak  # first: what is printed from now on goes to standard error

import base64
import json


def webhook(environ, start_response):
    review = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    patch = [{"op": "add", "path": "/spec/containers/-", "value": {"name": "proxy", "image": "proxy:1"}}]
    response = {"uid": review["request"]["uid"], "allowed": True, "patchType": "JSONPatch",
                "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
    start_response("200 OK", [("Content-Type", "application/json")])
    answer = {"apiVersion": review["apiVersion"], "kind": "AdmissionReview", "response": response}
    return [json.dumps(answer).encode()]


if __name__ == "__main__":
    speak(webhook)
