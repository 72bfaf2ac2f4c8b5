"""Writes one profile into the security context of a container, unless the user chose one."""
import sys


def add_seccomp(container, profile):
    context = container.setdefault("securityContext", {})
    if context.get("seccompProfile"):
        print("cannot override existing seccomp profile for pod or container", file=sys.stderr)
        return
    file = profile["status"]["localhostProfile"]
    context["seccompProfile"] = {"type": "Localhost", "localhostProfile": file}


def add_selinux(container, profile):
    context = container.setdefault("securityContext", {})
    if context.get("seLinuxOptions"):
        print("cannot override existing selinux profile for pod or container", file=sys.stderr)
        return
    context["seLinuxOptions"] = {"type": profile["status"]["usage"]}


WRITERS = {"SeccompProfile": add_seccomp, "SelinuxProfile": add_selinux}
