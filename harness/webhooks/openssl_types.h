#pragma once

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

/// Owning pointers for the library's objects.
namespace fixpoint::webhooks {

template <auto Free>
struct With {
  template <class T>
  void operator()(T* value) const {
    Free(value);
  }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, With<Free>>;
using OwnedBio = Owned<BIO, BIO_free_all>;
using OwnedKey = Owned<EVP_PKEY, EVP_PKEY_free>;
using OwnedCertificate = Owned<X509, X509_free>;

/// Returns the first certificate of a PEM text; key_of() its private key. Null if there is none.
OwnedCertificate certificate_of(const std::string& pem);
OwnedKey key_of(const std::string& pem);

}  // namespace fixpoint::webhooks
