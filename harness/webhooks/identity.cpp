#include "harness/webhooks/identity.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "harness/document/check.h"
#include "harness/webhooks/openssl_types.h"

namespace fixpoint::webhooks {

namespace {

OwnedBio reading(const std::string& text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}
std::string written(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

void extend(X509* certificate, int what, const std::string& value) {
  Owned<X509_EXTENSION, X509_EXTENSION_free> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()));
  document::check(extension != nullptr, "an extension of a certificate");
  X509_add_ext(certificate, extension.get(), -1);
}

/// Sets a positive random serial number, because some clients reject two certificates with the same issuer
/// and serial number.
void give_serial(X509* certificate) {
  constexpr int kBits = 120;
  Owned<BIGNUM, BN_free> number(BN_new());
  document::check(BN_rand(number.get(), kBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1, "a serial number");
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate));
}

}  // namespace

OwnedCertificate certificate_of(const std::string& pem) {
  return OwnedCertificate(PEM_read_bio_X509(reading(pem).get(), nullptr, nullptr, nullptr));
}
OwnedKey key_of(const std::string& pem) {
  return OwnedKey(PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, nullptr, nullptr));
}

Identity make_identity(const Wanted& wanted) {
  OwnedKey key(EVP_EC_gen("P-256"));
  OwnedCertificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  give_serial(certificate.get());
  constexpr long kDay = 24L * 60 * 60;
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), kDay * wanted.days_from);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay * wanted.days_until);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto* name = reinterpret_cast<const unsigned char*>(wanted.name.c_str());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name, -1, -1, 0);
  if (wanted.alternative.empty()) {
    extend(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  } else {
    extend(certificate.get(), NID_subject_alt_name, wanted.alternative);
  }
  const OwnedKey issuer_key = wanted.issuer != nullptr ? key_of(wanted.issuer->key) : nullptr;
  const OwnedCertificate issuer =
      wanted.issuer != nullptr ? certificate_of(wanted.issuer->certificate) : nullptr;
  X509_set_issuer_name(certificate.get(), issuer ? X509_get_subject_name(issuer.get()) : subject);
  X509_sign(certificate.get(), issuer_key ? issuer_key.get() : key.get(), EVP_sha256());
  const OwnedBio certificate_text(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate_text.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {written(certificate_text.get()), written(key_text.get())};
}

}  // namespace fixpoint::webhooks
