#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fixpoint::cli {

/// A program of ours that runs beside a test, with its standard output and error read until it says that it
/// is ready, or ends.
class Running {
 public:
  /// Waits for the end of its standard output, or for `ready` in it, for a minute at the most. With
  /// `keeps_input` its standard input stays open as long as it runs.
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
