#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/http_client.h"

namespace firstword::net {

// A client context with verification on, the system's or the given authorities and an
// optional client certificate.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> ClientTlsContext(
    const TlsOptions& options);
// A server context with its certificate and key.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> ServerTlsContext(
    const std::string& cert_file, const std::string& key_file);

// Why a handshake failed, from the verifier or the library, with what to do.
[[nodiscard]] Error DescribeTlsFailure(const boost::system::error_code& error, long verify_result);

}  // namespace firstword::net
