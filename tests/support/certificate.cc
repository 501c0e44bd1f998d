#include "support/certificate.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "base/check.h"

namespace firstword::support {
namespace {

std::string FreshPath(std::string_view suffix) {
  static std::atomic<int> counter{0};
  return (std::filesystem::temp_directory_path() /
          fmt::format("firstword_test_{}_{}.{}", ::getpid(), counter++, suffix))
      .string();
}

void AddExtension(X509* cert, int nid, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value.c_str());
  CHECK(extension != nullptr && X509_add_ext(cert, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

}  // namespace

Certificate::Certificate(const std::string& name, int days)
    : cert_file_(FreshPath("pem")), key_file_(FreshPath("key")) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* cert = X509_new();
  CHECK(key != nullptr && cert != nullptr);
  constexpr long kDay = 24 * 3600;
  X509_set_version(cert, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert), days > 0 ? -kDay : (days - 1) * kDay);
  X509_gmtime_adj(X509_getm_notAfter(cert), days * kDay);
  X509_set_pubkey(cert, key);
  X509_NAME* subject = X509_get_subject_name(cert);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(cert, subject);
  const bool address = name.find_first_not_of("0123456789.:") == std::string::npos;
  AddExtension(cert, NID_subject_alt_name, (address ? "IP:" : "DNS:") + name);
  AddExtension(cert, NID_basic_constraints, "critical,CA:TRUE");
  CHECK(X509_sign(cert, key, EVP_sha256()) > 0);

  std::FILE* file = std::fopen(cert_file_.c_str(), "w");
  CHECK(file != nullptr && PEM_write_X509(file, cert) == 1 && std::fclose(file) == 0);
  file = std::fopen(key_file_.c_str(), "w");
  CHECK(file != nullptr &&
        PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr) == 1 &&
        std::fclose(file) == 0);
  X509_free(cert);
  EVP_PKEY_free(key);
}

Certificate::~Certificate() {
  std::filesystem::remove(cert_file_);
  std::filesystem::remove(key_file_);
}

}  // namespace firstword::support
