#include "net/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace firstword::net {

struct Inflater::State {
  z_stream stream{};
  std::size_t max_bytes = 0;
  std::size_t produced = 0;
  bool ended = false;  // at the end of a gzip member
};

Inflater::Inflater(std::size_t max_bytes) : state_(std::make_unique<State>()) {
  state_->max_bytes = max_bytes;
  // 32: find out by the header whether it is gzip or zlib.
  CHECK(inflateInit2(&state_->stream, 15 + 32) == Z_OK);
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

Result<void> Inflater::Feed(std::string_view piece, std::string* out) {
  z_stream& stream = state_->stream;
  while (!piece.empty()) {
    // A gzip file may consist of several members, one behind the other.
    if (state_->ended) {
      if (inflateReset(&stream) != Z_OK) return Fail(ErrorCode::kParse, "broken gzip data");
      state_->ended = false;
    }
    const std::size_t slice = std::min<std::size_t>(piece.size(), std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(slice);
    int status = Z_OK;
    do {
      char buffer[16384];
      stream.next_out = reinterpret_cast<Bytef*>(buffer);
      stream.avail_out = sizeof(buffer);
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        return Fail(ErrorCode::kParse,
                    fmt::format("broken gzip data: {}",
                                stream.msg != nullptr ? stream.msg : "unexpected bytes"));
      }
      const std::size_t got = sizeof(buffer) - stream.avail_out;
      state_->produced += got;
      if (state_->produced > state_->max_bytes) {
        return Fail(ErrorCode::kLimit,
                    fmt::format("unpacks to more than {} bytes", state_->max_bytes));
      }
      out->append(buffer, got);
      if (status == Z_BUF_ERROR || status == Z_STREAM_END) break;
    } while (stream.avail_in > 0 || stream.avail_out == 0);
    if (status == Z_STREAM_END) state_->ended = true;
    const std::size_t used = slice - stream.avail_in;
    piece.remove_prefix(used);
    if (used == 0 && status != Z_STREAM_END) break;
  }
  return {};
}

Result<void> Inflater::Finish() const {
  if (!state_->ended) return Fail(ErrorCode::kParse, "the gzip data ends too early");
  return {};
}

Result<std::string> Gunzip(std::string_view data, std::size_t max_bytes) {
  Inflater inflater(max_bytes);
  std::string out;
  if (Result<void> fed = inflater.Feed(data, &out); !fed) return std::unexpected(fed.error());
  if (Result<void> whole = inflater.Finish(); !whole) return std::unexpected(whole.error());
  return out;
}

std::string Gzip(std::string_view data) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) ==
        Z_OK);
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace firstword::net
