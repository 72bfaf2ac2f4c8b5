#pragma once

#include <string>

namespace fixpoint::webhooks {

/// A certificate with its key, both as PEM.
struct Identity {
  std::string certificate;
  std::string key;
};

/// The properties of a new certificate.
struct Wanted {
  std::string name = "test";            ///< common name
  std::string alternative = {};         ///< "IP:127.0.0.1,DNS:localhost"; empty: an authority
  const Identity* issuer = nullptr;     ///< null: self-signed
  int days_from = -1, days_until = 30;  ///< from today
};
Identity make_identity(const Wanted& wanted);

}  // namespace fixpoint::webhooks
