#include <gtest/gtest.h>

#include "simulate/engine/replica.h"
#include "simulate/engine/test_engine.h"
#include "simulate/pages/test_pages.h"

// What a page says after a real replica lived, against what went in.

namespace firstword::simulate {
namespace {

constexpr std::uint32_t kRequests = 400;

double Total(const Recorder& recorder, std::string_view name) {
  double total = 0;
  for (std::uint32_t rank = 0; rank < recorder.ranks(); ++rank) {
    total += FindQuantity(name)->read({recorder, rank, 0});
  }
  return total;
}

TEST(ReplicaPageTest, CountsWhatTheReplicaDid) {
  EngineConfig config = PlainConfig();
  config.data_parallel = 2;
  config.kv_blocks = 120;
  config.speculation.draft_tokens = 2;
  const dialect::ExportChoice vllm = BuiltinExports().Choose("vllm").value();
  const dialect::PageSpec page = TestPage(*vllm.page, vllm.version);
  ReplicaFacts facts = FactsOf(config);
  Recorder recorder(page, facts);
  Replica replica(config, 7, recorder);
  recorder.set_kv_blocks(replica.kv_blocks());

  std::uint64_t prompts = 0;
  for (std::uint32_t i = 0; i < kRequests; ++i) {
    const SimTime now = std::chrono::milliseconds(5) * i;
    replica.AdvanceTo(now);
    Request request = PlainRequest(i % 8, 200 + 7 * (i % 50), 20 + i % 90);
    request.streaming = i % 3 != 0;
    prompts += request.prompt_tokens();
    const RequestId id = replica.Submit(request, now);
    if (i % 40 == 39) replica.Abort(id, now);
  }
  while (replica.NextEvent() != kNever) replica.AdvanceTo(replica.NextEvent());

  EXPECT_EQ(Total(recorder, "received"), kRequests);
  EXPECT_EQ(Total(recorder, "ended"), kRequests);
  EXPECT_EQ(Total(recorder, "finished") + Total(recorder, "finished.abort"), kRequests);
  EXPECT_EQ(Total(recorder, "e2e.count"), Total(recorder, "finished"));
  EXPECT_EQ(Total(recorder, "e2e.with_aborts.count"), kRequests);
  EXPECT_LE(Total(recorder, "prompt_tokens"), static_cast<double>(prompts));
  EXPECT_GE(Total(recorder, "prompt_tokens"), Total(recorder, "finished.prompt_tokens"));
  EXPECT_EQ(Total(recorder, "itl.per_token.count"),
            Total(recorder, "generation_tokens") - Total(recorder, "ttft.count"));
  EXPECT_GT(Total(recorder, "prefix.hits"), 0);
  EXPECT_GT(Total(recorder, "preemptions"), 0);
  EXPECT_GT(Total(recorder, "spec.accepted_tokens"), 0);
  EXPECT_EQ(Total(recorder, "http.active"), 0);
  // The whole is its parts, to the rounding of sums.
  EXPECT_NEAR(Total(recorder, "e2e.streaming.sum") + Total(recorder, "e2e.nonstreaming.sum"),
              Total(recorder, "e2e.sum"), 1e-6);
  EXPECT_NEAR(Total(recorder, "prefill.sum") + Total(recorder, "decode.sum"),
              Total(recorder, "inference.sum"), 1e-6);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (std::size_t i = 0; i < page.histograms.size(); ++i) {
      const auto distribution = FindDistribution(page.histograms[i].quantity);
      std::uint64_t count = 0;
      for (const std::uint64_t bucket : recorder.buckets(rank, i)) count += bucket;
      EXPECT_EQ(count,
                recorder.rank(rank).distributions[static_cast<std::size_t>(*distribution)].count);
    }
  }
}

}  // namespace
}  // namespace firstword::simulate
