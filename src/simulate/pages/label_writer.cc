#include "simulate/pages/label_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "simulate/pages/number_text.h"

namespace firstword::simulate {
namespace {

using dialect::Variable;

void AppendGpuVariable(Variable variable, const GpuReading& gpu, std::string& out) {
  switch (variable) {
    case Variable::kGpu:
      fmt::format_to(std::back_inserter(out), "{}", gpu.index);
      break;
    case Variable::kGpuUuid:
      AppendEscaped(gpu.uuid, out);
      break;
    case Variable::kGpuModel:
      AppendEscaped(gpu.model_name, out);
      break;
    case Variable::kGpuDevice:
      fmt::format_to(std::back_inserter(out), "nvidia{}", gpu.index);
      break;
    case Variable::kHost:
      AppendEscaped(gpu.host, out);
      break;
    case Variable::kPciBusId:
      AppendEscaped(gpu.pci_bus_id, out);
      break;
    case Variable::kDriver:
      AppendEscaped(gpu.driver_version, out);
      break;
    default:
      break;
  }
}

// As Python prints a float.
void AppendFloat(double value, std::string& out) {
  AppendNumber(dialect::Writer::kPython, value, out);
}

void AppendFact(Variable variable, const ReplicaFacts& facts, std::string& out) {
  const auto number = [&](std::uint64_t value) {
    fmt::format_to(std::back_inserter(out), "{}", value);
  };
  switch (variable) {
    case Variable::kModel:
      return AppendEscaped(facts.model, out);
    case Variable::kVersion:
      return AppendEscaped(facts.version, out);
    case Variable::kBlockSize:
      return number(facts.block_tokens);
    case Variable::kKvBlocks:
      return number(facts.kv_blocks);
    case Variable::kKvTokens:
      return number(facts.kv_tokens());
    case Variable::kMaxModelLen:
      return number(facts.max_model_len);
    case Variable::kMaxNumSeqs:
      return number(facts.max_num_seqs);
    case Variable::kMaxConcurrency:
      if (facts.max_model_len == 0) return number(0);
      return AppendFloat(static_cast<double>(facts.kv_tokens()) / facts.max_model_len, out);
    case Variable::kGpuMemoryUtilization:
      return AppendFloat(facts.gpu_memory_utilization, out);
    case Variable::kPrefixCaching:
      out += facts.prefix_caching ? "True" : "False";
      return;
    case Variable::kInstance:
      return AppendEscaped(facts.instance, out);
    case Variable::kWorker:
      return AppendEscaped(facts.worker, out);
    case Variable::kHost:
      return AppendEscaped(facts.host, out);
    default:
      return;
  }
}

void AppendServer(Variable variable, const GatewayReading& server, std::string& out) {
  if (variable == Variable::kModel) AppendEscaped(server.model, out);
  if (variable == Variable::kWorker || variable == Variable::kInstance) {
    AppendEscaped(server.worker, out);
  }
}

void AppendVariable(Variable variable, const RowOwner& owner, std::string& out) {
  if (variable == Variable::kRank) {
    fmt::format_to(std::back_inserter(out), "{}", owner.rank);
    return;
  }
  if (owner.server != nullptr) return AppendServer(variable, *owner.server, out);
  const Recorder* recorder = owner.view.recorder;
  const bool of_gpu = variable >= Variable::kGpu;
  if (of_gpu && (variable != Variable::kHost || recorder == nullptr || owner.gpu != nullptr)) {
    const GpuReading* gpu = owner.gpu;
    if (gpu == nullptr && !owner.view.gpus.empty()) gpu = &owner.view.gpus.front();
    if (gpu != nullptr) AppendGpuVariable(variable, *gpu, out);
  } else if (recorder != nullptr) {
    AppendFact(variable, recorder->facts(), out);
  } else if (variable == Variable::kVersion) {
    AppendEscaped(owner.version, out);
  }
}

void AppendLabel(const dialect::PageLabel& label, const RowOwner& owner, std::string& out) {
  out += label.name;
  out += "=\"";
  for (const dialect::LabelText::Piece& piece : label.value.pieces) {
    AppendEscaped(piece.text, out);
    if (piece.variable != Variable::kNone) AppendVariable(piece.variable, owner, out);
  }
  out += '"';
}

}  // namespace

void AppendEscaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
}

void WriteLabels(std::span<const dialect::PageLabel> labels, const RowOwner& owner,
                 dialect::Writer writer, LabelTexts& texts) {
  texts.before.clear();
  texts.after.clear();
  const bool sorts_le =
      writer == dialect::Writer::kPython || writer == dialect::Writer::kPythonMultiprocess;
  for (const dialect::PageLabel& label : labels) {
    if (sorts_le && label.name > "le") {
      texts.after += ',';
      AppendLabel(label, owner, texts.after);
    } else {
      AppendLabel(label, owner, texts.before);
      texts.before += ',';
    }
  }
}

}  // namespace firstword::simulate
