#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fixpoint::webhooks {

/// A TLS connection to a loopback port that sends exactly the given bytes, even if they are invalid, and
/// trusts every certificate.
class TlsClient {
 public:
  /// Connects and completes the handshake. `version_max` is the newest version of TLS that is offered; 0 for
  /// any.
  explicit TlsClient(int port, int version_max = 0);
  ~TlsClient();
  TlsClient(TlsClient&& other) noexcept;

  bool is_connected() const;
  /// Sends the bytes; returns false if the other side has closed the connection.
  bool send(std::string_view bytes);
  /// Announces the end of sending; reading still works.
  void end_sending();
  /// Reads until the connection ends, `enough` was read, or nothing arrived for `milliseconds`.
  std::string read(int milliseconds, std::string_view enough = {});
  /// Returns true if the other side closes the connection within that time.
  bool is_ended_within(int milliseconds);

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::webhooks
