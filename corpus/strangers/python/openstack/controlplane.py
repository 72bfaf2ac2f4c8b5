"""Defaults of the services: container images, which the operator's Deployment has in its environment."""
import os

REGISTRY = "quay.io/tripleozedcentos9"


def image(variable, name):
    return os.environ.get(f"{variable}_IMAGE_URL_DEFAULT", f"{REGISTRY}/openstack-{name}:current-tripleo")


# section -> path inside its template -> image
IMAGES = {
    "dns": {("containerImage",): ("INFRA_DNSMASQ", "neutron-server")},
    "keystone": {("containerImage",): ("KEYSTONE_API", "keystone")},
    "placement": {("containerImage",): ("PLACEMENT_API", "placement-api")},
    "glance": {("containerImage",): ("GLANCE_API", "glance-api"),
               ("glanceAPIInternal", "containerImage"): ("GLANCE_API", "glance-api"),
               ("glanceAPIExternal", "containerImage"): ("GLANCE_API", "glance-api")},
    "cinder": {("cinderAPI", "containerImage"): ("CINDER_API", "cinder-api"),
               ("cinderScheduler", "containerImage"): ("CINDER_SCHEDULER", "cinder-scheduler"),
               ("cinderBackup", "containerImage"): ("CINDER_BACKUP", "cinder-backup")},
    "neutron": {("containerImage",): ("NEUTRON_API", "neutron-server")},
    "nova": {("apiServiceTemplate", "containerImage"): ("NOVA_API", "nova-api"),
             ("schedulerServiceTemplate", "containerImage"): ("NOVA_SCHEDULER", "nova-scheduler")},
    "heat": {("heatAPI", "containerImage"): ("HEAT_API", "heat-api"),
             ("heatEngine", "containerImage"): ("HEAT_ENGINE", "heat-engine")},
    "horizon": {("containerImage",): ("HORIZON", "horizon")},
}

# sections whose templates are named by the user
NAMED_IMAGES = {"mariadb": ("MARIADB", "mariadb"), "galera": ("MARIADB", "mariadb"),
                "memcached": ("INFRA_MEMCACHED", "memcached"), "rabbitmq": ("RABBITMQ", "rabbitmq")}


def default(control_plane):
    spec = control_plane["spec"]
    for name, images in IMAGES.items():
        template = (spec.get(name) or {}).get("template")
        if template is not None:
            for path, (variable, repository) in images.items():
                default_image(template, path, image(variable, repository))
    for name, (variable, repository) in NAMED_IMAGES.items():
        key = "image" if name == "rabbitmq" else "containerImage"
        for template in ((spec.get(name) or {}).get("templates") or {}).values():
            default_image(template, (key,), image(variable, repository))
    default_extra_mounts(spec)


def default_image(template, path, value):
    """Sets the image, unless the part of the template for it is left out: that is the CRD's to default."""
    for key in path[:-1]:
        template = template.get(key)
        if template is None:
            return
    if not template.get(path[-1]):
        template[path[-1]] = value


def default_extra_mounts(spec):
    for mounts in spec.get("extraMounts") or []:
        if not mounts.get("name"):
            mounts["name"] = "v1"
        if not mounts.get("region"):
            mounts["region"] = "r1"
