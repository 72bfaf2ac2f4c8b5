"""An example of a webhook that reads its cluster: it injects the keys of the Secret that an annotation names.

It has a bug that needs a Secret to show: env is appended at every call. It reads the API as a Pod does, by the variables
KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT and the files of its service account.
"""
from adapter import speak

import base64
import json
import os
import ssl
import urllib.error
import urllib.request

ANNOTATION = "reader.example.io/secret"
ACCOUNT = os.environ.get("FIXPOINT_SERVICE_ACCOUNT", "/var/run/secrets/kubernetes.io/serviceaccount")


def read_secret(namespace, name):
    """Returns the Secret, or None if there is none."""
    server = "https://%s:%s" % (os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"])
    with open(os.path.join(ACCOUNT, "token")) as file:
        token = file.read()
    request = urllib.request.Request("%s/api/v1/namespaces/%s/secrets/%s" % (server, namespace, name),
                                     headers={"Authorization": "Bearer " + token})
    trusted = ssl.create_default_context(cafile=os.path.join(ACCOUNT, "ca.crt"))
    try:
        with urllib.request.urlopen(request, context=trusted) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def patch_for(request):
    pod = request["object"]
    name = pod["metadata"].get("annotations", {}).get(ANNOTATION)
    secret = read_secret(request["namespace"], name) if name else None
    if not secret or not secret.get("data"):
        return None
    env = pod["spec"]["containers"][0].get("env", [])
    env += [{"name": key.upper().replace(".", "_"), "valueFrom": {"secretKeyRef": {"name": name, "key": key}}}
            for key in sorted(secret["data"])]  # the bug: at every call
    return [{"op": "add", "path": "/spec/containers/0/env", "value": env}]


def webhook(environ, start_response):
    review = json.load(environ["wsgi.input"])
    response = {"uid": review["request"]["uid"], "allowed": True}
    try:
        patch = patch_for(review["request"])
        if patch:
            response["patchType"] = "JSONPatch"
            response["patch"] = base64.b64encode(json.dumps(patch).encode()).decode()
    except OSError as error:
        response["allowed"] = False
        response["status"] = {"code": 500, "message": "cannot read the cluster: %s" % error}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}).encode()]


if __name__ == "__main__":
    speak(webhook)
