#include "simulate/scenario/shapes.h"

namespace firstword::simulate {
namespace {

constexpr std::string_view kShapes[] = {"healthy",
                                        "queue-bound",
                                        "kv-thrash",
                                        "memory-bound-decode",
                                        "compute-bound-prefill",
                                        "prefill-decode-interference",
                                        "host-bound-scheduler",
                                        "max-num-seqs-limit",
                                        "cache-miss-regression",
                                        "long-output",
                                        "hardware-fault",
                                        "network-gateway",
                                        "cold-start",
                                        "load-imbalance",
                                        "stuck-engine",
                                        "oom-crash-loop",
                                        "client-slow-reader",
                                        "lora-swapping",
                                        "spec-decode-low-acceptance",
                                        "pd-transfer",
                                        "monitoring-artefact",
                                        "insufficient-evidence"};

}  // namespace

std::span<const std::string_view> ShapeNames() { return kShapes; }

}  // namespace firstword::simulate
