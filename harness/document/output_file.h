#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/result.h"

/// Every file that the program writes is written here.
namespace fixpoint::document {

/// Whether a name out of a foreign document may name a file: it stays in the folder where it is put.
bool is_file_name(std::string_view name);

/// Who may read a new file: everybody (0644 and the umask), or its owner alone (0600), for values that may be
/// secrets. A file that exists keeps its mode.
enum class Readers { everybody, owner };

/// Writes a whole file or none: the text goes to a new file beside it, both file and folder reach the disk,
/// and the new file is renamed over `path`. A symbolic link stays, and the file that it names is written. A
/// device, a FIFO, /dev/stdout and /dev/fd/N are opened and written as they are.
std::optional<document::Error> write_file(const std::string& path, std::string_view text,
                                          Readers readers = Readers::everybody);

/// Tells, before long work, why write_file() could not write `path` now. Leaves nothing behind.
std::optional<document::Error> cannot_write(const std::string& path);

/// Creates a folder and those above it; the last one is for its owner alone (0700), even if it exists.
std::optional<document::Error> make_private_folder(const std::string& path);

/// A file of lines that grows: each line is written whole or not at all. A new file is for its owner alone.
class GrowingFile {
 public:
  /// Several processes may append to a shared file in turn; else the file has one writer, and a symbolic link
  /// in its place is an error.
  enum class Writers { one, several };
  static document::Result<GrowingFile> open(const std::string& path, Writers writers);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();

  /// Drops everything after the first `bytes` bytes.
  std::optional<document::Error> cut(std::uint64_t bytes);
  /// Appends a line that ends in a newline. A line that a killed process left unfinished gets its newline
  /// first when the file has several writers.
  std::optional<document::Error> append(std::string_view line);
  /// Returns when all lines are on disk.
  std::optional<document::Error> flush();

 private:
  GrowingFile(std::string path, int file, Writers writers)
      : path_(std::move(path)), file_(file), writers_(writers) {}
  std::optional<document::Error> append_now(std::string_view line);
  document::Error problem(int number) const;
  std::string path_;
  int file_;
  Writers writers_;
};

}  // namespace fixpoint::document
