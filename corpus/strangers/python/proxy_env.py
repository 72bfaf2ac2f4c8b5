"""Sets the egress proxy's variables, in both spellings that programs read."""
from admission import serve

PROXY = "http://egress.corp.example.com:3128"
NO_PROXY = "localhost,127.0.0.1,10.0.0.0/8,.svc,.cluster.local"
VARIABLES = [
    {"name": "HTTP_PROXY", "value": PROXY},
    {"name": "HTTPS_PROXY", "value": PROXY},
    {"name": "NO_PROXY", "value": NO_PROXY},
]
VARIABLES += [{**variable, "name": variable["name"].lower()} for variable in VARIABLES]


def mutate(pod, request):
    for container in pod["spec"]["containers"]:
        env = container.get("env") or []
        present = {variable["name"].upper() for variable in env}
        if "HTTP_PROXY" in present or "HTTPS_PROXY" in present:
            continue  # the container has its own way out
        missing = [variable for variable in VARIABLES if variable["name"].upper() not in present]
        container["env"] = env + missing


serve(mutate)
