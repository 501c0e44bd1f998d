#pragma once

#include <filesystem>
#include <string>

namespace firstword::support {

// A self-signed certificate and its key as PEM files, made for one test and deleted with
// this. `name` goes into subject and subjectAltName: a host name or an IP address.
class Certificate {
 public:
  // Valid from now for `days`; negative: expired that long ago.
  explicit Certificate(const std::string& name, int days = 1);
  ~Certificate();
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  [[nodiscard]] const std::string& cert_file() const { return cert_file_; }
  [[nodiscard]] const std::string& key_file() const { return key_file_; }

 private:
  std::string cert_file_;
  std::string key_file_;
};

}  // namespace firstword::support
