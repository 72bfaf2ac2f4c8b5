#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fixpoint::webhooks {

/// A TLS connection to a loopback port that says what it is told, byte for byte, and trusts every
/// certificate: the plain opposite of a client library that would not let us lie.
class TlsClient {
 public:
  /// Connects and shakes hands; `version_max` is the newest version of TLS offered, 0 for any.
  explicit TlsClient(int port, int version_max = 0);
  ~TlsClient();
  TlsClient(TlsClient&& other) noexcept;

  bool is_connected() const;
  /// Returns false when the other side has ended the connection.
  bool send(std::string_view bytes);
  /// Says that nothing more will be sent; what comes can still be read.
  void end_sending();
  /// Everything that comes until the connection ends, `enough` was read, or nothing came for so long.
  std::string read(int milliseconds, std::string_view enough = {});
  /// Returns true when the other side ends the connection within so long.
  bool is_ended_within(int milliseconds);

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::webhooks
