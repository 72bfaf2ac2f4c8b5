"""Cluster API Provider AWS: defaulting and validation of AWSMachineTemplates.

One program serves both paths; here validation follows defaulting in one call, and its refusal is the answer.
"""
import sys

from admission import Denied, serve
from awsmachine import machinetemplate

FIXED = sys.argv[1:] == ["fixed"]


def handle(template, request):
    operation = request.get("operation")
    if template.get("kind") != "AWSMachineTemplate" or operation not in ("CREATE", "UPDATE"):
        return
    machinetemplate.default(template)
    if operation == "CREATE":
        errors = machinetemplate.validate_create(template)
    else:
        old = request.get("oldObject") or {}
        errors = machinetemplate.validate_update(old, template, tolerate_new_defaults=FIXED)
    if errors:
        raise Denied("; ".join(errors))


serve(handle)
