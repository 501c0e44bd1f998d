#include "net/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <string_view>

namespace firstword::net {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

std::unexpected<Error> BadFile(std::string_view what, const std::string& file,
                               const error_code& error) {
  return Fail(ErrorCode::kInvalid, fmt::format("cannot use {} {}: {}", what, file, error.message()),
              "it must be a readable PEM file");
}

}  // namespace

Result<std::shared_ptr<ssl::context>> ClientTlsContext(const TlsOptions& options) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  error_code error;
  context->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                           ssl::context::no_sslv3 | ssl::context::no_tlsv1 |
                           ssl::context::no_tlsv1_1,
                       error);
  if (options.ca_file.empty()) {
    context->set_default_verify_paths(error);
  } else if (context->load_verify_file(options.ca_file, error)) {
    return BadFile("the CA file", options.ca_file, error);
  }
  if (!options.client_cert_file.empty()) {
    if (context->use_certificate_chain_file(options.client_cert_file, error)) {
      return BadFile("the client certificate", options.client_cert_file, error);
    }
    if (context->use_private_key_file(options.client_key_file, ssl::context::pem, error)) {
      return BadFile("the client key", options.client_key_file, error);
    }
  }
  context->set_verify_mode(options.insecure_skip_verify ? ssl::verify_none : ssl::verify_peer,
                           error);
  return context;
}

Result<std::shared_ptr<ssl::context>> ServerTlsContext(const std::string& cert_file,
                                                       const std::string& key_file) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  error_code error;
  context->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                           ssl::context::no_sslv3 | ssl::context::no_tlsv1 |
                           ssl::context::no_tlsv1_1,
                       error);
  if (context->use_certificate_chain_file(cert_file, error))
    return BadFile("the certificate", cert_file, error);
  if (context->use_private_key_file(key_file, ssl::context::pem, error))
    return BadFile("the key", key_file, error);
  return context;
}

Error DescribeTlsFailure(const error_code& error, long verify_result) {
  if (verify_result != X509_V_OK) {
    const bool unknown = verify_result == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
                         verify_result == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
                         verify_result == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN;
    const bool name = verify_result == X509_V_ERR_HOSTNAME_MISMATCH ||
                      verify_result == X509_V_ERR_IP_ADDRESS_MISMATCH;
    return {ErrorCode::kUnavailable,
            fmt::format("the certificate is not trusted: {}",
                        X509_verify_cert_error_string(verify_result)),
            unknown ? "give its authority with --ca-file, or --insecure to skip the check"
            : name  ? "use the name in the certificate, or --insecure to skip the check"
                    : "renew the certificate, or --insecure to skip the check"};
  }
  const int reason = error.category() == boost::asio::error::get_ssl_category()
                         ? ERR_GET_REASON(static_cast<unsigned long>(error.value()))
                         : 0;
  switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
      return {ErrorCode::kUnavailable, "TLS handshake failed: the server does not speak TLS",
              "is it http:// instead of https://?"};
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
      return {ErrorCode::kUnavailable, fmt::format("TLS handshake failed: {}", error.message()),
              "the server may want a client certificate: give --cert and --key"};
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
      return {ErrorCode::kUnavailable, "the server refuses our client certificate",
              "is it from an authority the server trusts, and not expired?"};
    default:
      break;
  }
  return {ErrorCode::kUnavailable, fmt::format("TLS handshake failed: {}", error.message()),
          "check that the port speaks TLS and which versions it allows"};
}

}  // namespace firstword::net
