#include <string>

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

void check_port(const Value& port, const Path& path, Errors& errors) {
  if (port.is_string()) return errors.invalid(path, port.text(), check_port_name(port.text()));
  const std::int64_t number = port.integer().value_or(0);
  if (number < 1 || number > 65535)
    errors.invalid(path, port, Text("must be between 1 and 65535, inclusive"));
}

void check_exec(const Value& exec, const Path& path, Context& context) {
  if (exec["command"].empty()) context.errors.required(path.child("command"));
}

void check_http(const Value& http, const Path& path, Context& context) {
  constexpr std::string_view kSchemes[] = {"HTTP", "HTTPS"};
  if (http["path"].text().empty()) context.errors.required(path.child("path"));
  check_port(http["port"], path.child("port"), context.errors);
  const std::string_view scheme = http["scheme"].text();
  if (!is_one_of(scheme, kSchemes)) context.errors.not_supported(path.child("scheme"), scheme, kSchemes);
  for (const Value& header : http["httpHeaders"].elements()) {
    const std::string_view name = header["name"].text();
    context.errors.invalid(path.child("httpHeaders"), name, check_http_header_name(name));
  }
}

void check_socket(const Value& socket, const Path& path, Context& context) {
  check_port(socket["port"], path.child("port"), context.errors);
}

void check_sleep(const Value& sleep, const Path& path, Context& context) {
  if (!context.grace_period) return;
  const std::int64_t seconds = sleep["seconds"].integer().value_or(0);
  const std::int64_t least = context.options.allows_sleep_of_zero ? 0 : 1;
  if (seconds < least || seconds > *context.grace_period) {
    const Text text = context.options.allows_sleep_of_zero
                          ? Text("must be non-negative and less than terminationGracePeriodSeconds ({})")
                          : Text(
                                "must be greater than 0 and less than terminationGracePeriodSeconds ({}). "
                                "Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.");
    context.errors.invalid(path, sleep["seconds"], text.with({std::to_string(*context.grace_period)}));
  }
}

/// A probe or a hook has one handler; this is the order of the checks.
void check_handler(const Value& owner, const Path& path, Context& context) {
  struct Handler {
    Name name;
    void (*check)(const Value& handler, const Path& path, Context& context);
  };
  static constexpr Handler kHandlers[] = {{"exec", check_exec},
                                          {"httpGet", check_http},
                                          {"tcpSocket", check_socket},
                                          {"grpc", check_socket},
                                          {"sleep", check_sleep}};
  bool has_one = false;
  for (const Handler& handler : kHandlers) {
    const Value& value = owner[handler.name];
    if (value.is_null()) continue;
    if (has_one) {
      context.errors.forbidden(path.child(handler.name.text),
                               Text("may not specify more than 1 handler type"));
    } else {
      has_one = true;
      handler.check(value, path.child(handler.name.text), context);
    }
  }
  if (!has_one) context.errors.required(path, Text("must specify a handler type"));
}

void check_probe(const Value& probe, const Path& path, Context& context) {
  check_handler(probe, path, context);
  static constexpr Name kNames[] = {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                    "successThreshold", "failureThreshold"};
  for (const Name& name : kNames) {
    const Value& number = probe[name];
    if (number.text().starts_with('-'))
      context.errors.invalid(path.child(name.text), number, Text("must be greater than or equal to 0"));
  }
  const Value& grace = probe["terminationGracePeriodSeconds"];
  if (!grace.is_null() && grace.integer().value_or(0) <= 0) {
    context.errors.invalid(path.child("terminationGracePeriodSeconds"), grace,
                           Text("must be greater than 0"));
  }
}

constexpr std::string_view kLinuxSignals[] = {
    "SIGABRT",     "SIGALRM",     "SIGBUS",      "SIGCHLD",     "SIGCLD",      "SIGCONT",     "SIGFPE",
    "SIGHUP",      "SIGILL",      "SIGINT",      "SIGIO",       "SIGIOT",      "SIGKILL",     "SIGPIPE",
    "SIGPOLL",     "SIGPROF",     "SIGPWR",      "SIGQUIT",     "SIGRTMAX",    "SIGRTMAX-1",  "SIGRTMAX-10",
    "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13", "SIGRTMAX-14", "SIGRTMAX-2",  "SIGRTMAX-3",  "SIGRTMAX-4",
    "SIGRTMAX-5",  "SIGRTMAX-6",  "SIGRTMAX-7",  "SIGRTMAX-8",  "SIGRTMAX-9",  "SIGRTMIN",    "SIGRTMIN+1",
    "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMIN+2",
    "SIGRTMIN+3",  "SIGRTMIN+4",  "SIGRTMIN+5",  "SIGRTMIN+6",  "SIGRTMIN+7",  "SIGRTMIN+8",  "SIGRTMIN+9",
    "SIGSEGV",     "SIGSTKFLT",   "SIGSTOP",     "SIGSYS",      "SIGTERM",     "SIGTRAP",     "SIGTSTP",
    "SIGTTIN",     "SIGTTOU",     "SIGURG",      "SIGUSR1",     "SIGUSR2",     "SIGVTALRM",   "SIGWINCH",
    "SIGXCPU",     "SIGXFSZ"};
constexpr std::string_view kWindowsSignals[] = {"SIGKILL", "SIGTERM"};

void check_stop_signal(const Value& signal, const Path& path, Context& context) {
  if (signal.is_null()) return;
  if (!context.has_os)
    return context.errors.forbidden(path, Text("may not be set for containers with empty `spec.os.name`"));
  if (context.os != "linux" && context.os != "windows") return;
  const Choices signals = context.os == "linux" ? Choices(kLinuxSignals) : Choices(kWindowsSignals);
  if (!is_one_of(signal.text(), signals)) context.errors.not_supported(path, signal.text(), signals);
}

}  // namespace

void check_probes(const Value& container, const Path& path, Context& context) {
  static constexpr Name kOfOneSuccess[] = {"livenessProbe", "startupProbe"};
  for (const Name& name : kOfOneSuccess) {
    const Value& probe = container[name];
    if (probe.is_null()) continue;
    const Path probe_path = path.child(name.text);
    check_probe(probe, probe_path, context);
    if (probe["successThreshold"].text() != "1") {
      context.errors.invalid(probe_path.child("successThreshold"), probe["successThreshold"],
                             Text("must be 1"));
    }
  }
  const Value& readiness = container["readinessProbe"];
  if (readiness.is_null()) return;
  const Path probe_path = path.child("readinessProbe");
  check_probe(readiness, probe_path, context);
  const Value& grace = readiness["terminationGracePeriodSeconds"];
  if (!grace.is_null()) {
    context.errors.invalid(probe_path.child("terminationGracePeriodSeconds"), grace,
                           Text("must not be set for readinessProbes"));
  }
}

void check_lifecycle(const Value& lifecycle, const Path& path, Context& context) {
  static constexpr Name kNames[] = {"postStart", "preStop"};
  for (const Name& name : kNames) {
    if (!lifecycle[name].is_null()) check_handler(lifecycle[name], path.child(name.text), context);
  }
  check_stop_signal(lifecycle["stopSignal"], path.child("stopSignal"), context);
}

}  // namespace fixpoint::apiserver::validation
