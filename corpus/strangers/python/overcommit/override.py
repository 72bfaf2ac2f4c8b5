"""Requests and limits of one container as the configured percentages of its limits."""
from fractions import Fraction

from overcommit import quantity

MIB, MB = 1024**2, 1000**2
MEMORY_FLOOR, CPU_FLOOR = Fraction(MIB), Fraction(1, 1000)


class Override:
    def __init__(self, config, memory_bounds, cpu_bounds, ceilings):
        self._config, self._memory, self._cpu, self._ceilings = config, memory_bounds, cpu_bounds, ceilings

    def _within(self, value, least, bounds):
        floor, ceiling = bounds
        value = max(value, least)
        if floor is not None:
            value = max(value, floor)
        if self._ceilings and ceiling is not None:
            value = min(value, ceiling)
        return value

    def apply(self, container):
        resources = container.get("resources") or {}
        limits, requests = dict(resources.get("limits") or {}), dict(resources.get("requests") or {})
        if "memory" in limits:
            memory = quantity.parse(limits["memory"])
            if self._config["memoryRequestToLimitPercent"]:
                requests["memory"] = self._memory_request(memory, quantity.is_binary(limits["memory"]))
            if self._config["limitCPUToMemoryPercent"]:
                # 100% means one core to a GiB.
                cores = memory / 1024**3 * Fraction(self._config["limitCPUToMemoryPercent"], 100)
                limits["cpu"] = self._cores(cores)
        if "cpu" in limits and self._config["cpuRequestToLimitPercent"]:
            limit = quantity.parse(limits["cpu"])
            wanted = self._cores(limit * Fraction(self._config["cpuRequestToLimitPercent"], 100))
            requests["cpu"] = wanted if quantity.parse(wanted) <= limit else limits["cpu"]
        if limits:
            container["resources"] = resources | {"limits": limits}
            if requests:
                container["resources"]["requests"] = requests

    def _memory_request(self, limit, binary):
        unit = MIB if binary else MB
        wanted = limit * self._config["memoryRequestToLimitPercent"] / 100 // unit * unit
        wanted = min(self._within(Fraction(wanted), MEMORY_FLOOR, self._memory), limit)
        return quantity.whole(int(wanted), binary)

    def _cores(self, cores):
        return quantity.milli(int(self._within(cores, CPU_FLOOR, self._cpu) * 1000))
