#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fixpoint::cli {

/// A program that runs beside a test. Its standard output and error are read until it is ready or ends.
class Running {
 public:
  /// Starts the program and waits, for at most a minute, until `ready` appears in its standard output or the
  /// output ends. Its standard input stays open as long as it runs.
  explicit Running(const std::vector<std::string>& argv, const std::string& ready = "");
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Returns the output so far.
  const std::string& out() const { return out_; }
  /// Sends the signal and waits; returns the exit code, or -1 if a signal ended the program.
  int stop(int signal);

 private:
  pid_t pid_ = -1;
  int in_ = -1, from_ = -1;
  std::string out_;
};

}  // namespace fixpoint::cli
