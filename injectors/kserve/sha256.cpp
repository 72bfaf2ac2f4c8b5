#include "injectors/kserve/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "harness/document/check.h"

namespace fixpoint::injectors::kserve {

std::string sha256(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);  // slow, so once
  const int done = EVP_Digest(text.data(), text.size(), digest.data(), nullptr, kAlgorithm, nullptr);
  document::check(done == 1, "SHA-256 of a text in memory does not fail");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string written;
  for (const unsigned char byte : digest) written.append({kDigits[byte >> 4], kDigits[byte & 15]});
  return written;
}

}  // namespace fixpoint::injectors::kserve
