#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/result.h"

/// All output files of the program are written here.
namespace fixpoint::document {

/// Returns true if a name from a foreign document is safe as a file name: it cannot leave its folder.
bool is_file_name(std::string_view name);

/// The readers of a new file: everybody (0644 and the umask), or its owner alone (0600) for possible secrets.
/// An existing file keeps its mode.
enum class Readers { everybody, owner };

/// Writes a file atomically: the text goes to a new file in the same folder, both file and folder are synced,
/// and the new file is renamed over `path`. A symbolic link is kept, and its target is written. A device, a
/// FIFO, /dev/stdout and /dev/fd/N are opened and written directly.
std::optional<document::Error> write_file(const std::string& path, std::string_view text,
                                          Readers readers = Readers::everybody);

/// The reason why write_file() could not write `path` now, to be checked before long work. Leaves nothing
/// behind.
std::optional<document::Error> cannot_write(const std::string& path);

/// Creates a folder and its parents; only its owner may access the last one (0700), even if it exists.
std::optional<document::Error> make_private_folder(const std::string& path);

/// An append-only file of lines: each line is written whole or not at all. A new file is readable by its
/// owner alone.
class GrowingFile {
 public:
  /// Several processes may append to a shared file in turn; otherwise the file has one writer, and a symbolic
  /// link at its path is an error.
  enum class Writers { one, several };
  static document::Result<GrowingFile> open(const std::string& path, Writers writers);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();

  /// Truncates the file to its first `bytes` bytes.
  std::optional<document::Error> cut(std::uint64_t bytes);
  /// Appends a line that ends in a newline. If the file has several writers, a line that a killed process
  /// left unfinished is first completed with a newline.
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
