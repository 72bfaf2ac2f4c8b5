"""Loads the tracing agent into Java applications: copies its jar into the Pod and names it to the JVM."""
from admission import Denied, serve

INJECT = "instrumentation.example.io/inject-java"
VOLUME = "java-agent"
DIRECTORY = "/opt/java-agent"
OPTION = f"-javaagent:{DIRECTORY}/agent.jar"
INIT = {
    "name": "copy-java-agent",
    "image": "ghcr.io/example/java-agent:1.32.0",
    "command": ["cp", "/agent.jar", f"{DIRECTORY}/agent.jar"],
    "volumeMounts": [{"name": VOLUME, "mountPath": DIRECTORY}],
}


def load_agent(container):
    env = container.get("env") or []
    options = [variable for variable in env if variable["name"] == "JAVA_TOOL_OPTIONS"]
    if not options:
        container["env"] = env + [{"name": "JAVA_TOOL_OPTIONS", "value": OPTION}]
    elif "valueFrom" in options[-1]:
        return  # where its value comes from nothing can be added
    elif OPTION not in options[-1].get("value", "").split():
        options[-1]["value"] = f"{options[-1].get('value', '')} {OPTION}".strip()
    mounts = container.get("volumeMounts") or []
    if all(mount["mountPath"] != DIRECTORY for mount in mounts):
        container["volumeMounts"] = mounts + [{"name": VOLUME, "mountPath": DIRECTORY, "readOnly": True}]


def mutate(pod, request):
    if (pod["metadata"].get("annotations") or {}).get(INJECT) != "true":
        return
    spec = pod["spec"]
    volumes = spec.get("volumes") or []
    own = next((volume for volume in volumes if volume["name"] == VOLUME), None)
    if own is None:
        spec["volumes"] = volumes + [{"name": VOLUME, "emptyDir": {}}]
    elif "emptyDir" not in own:
        raise Denied(f"the volume {VOLUME} of the Pod is not an emptyDir")
    inits = spec.get("initContainers") or []
    for container in inits + spec["containers"]:
        if container["name"] != INIT["name"]:
            load_agent(container)
    if all(container["name"] != INIT["name"] for container in inits + spec["containers"]):
        # In front of all others: theirs may be Java, too.
        spec["initContainers"] = [INIT] + inits


serve(mutate)
