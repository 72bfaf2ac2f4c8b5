"""How the Go types of the control plane encode themselves as JSON."""

# section -> the default of its "enabled" field in the CRD (+kubebuilder:default)
SECTIONS = {
    "dns": True, "keystone": True, "placement": True, "glance": True, "cinder": True, "mariadb": True,
    "galera": False, "rabbitmq": True, "memcached": True, "ovn": True, "neutron": True, "nova": True,
    "heat": False, "ironic": False, "manila": False, "horizon": False,
}


def encode(spec, omit_empty_enabled):
    """`Enabled bool` of each section: json:"enabled,omitempty" leaves false out, json:"enabled" writes it."""
    for name in SECTIONS:
        section = spec.get(name)
        if section is None or "enabled" not in section:
            continue  # what the user left out is the CRD's to default
        if omit_empty_enabled and section["enabled"] is False:
            del section["enabled"]
