#include "cli/inspect/inspect_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/describe.h"
#include "cli/report/report_sections.h"
#include "cli/report/signal_tables.h"
#include "cli/text/format.h"
#include "cli/text/table.h"
#include "cli/text/text.h"

namespace firstword::cli {
namespace {

constexpr std::size_t kShownFaults = 3;

class InspectWriter {
 public:
  InspectWriter(const Inspection& inspection, const Paint& paint, const InspectTextOptions& options)
      : inspection_(inspection), paint_(paint), options_(options) {}

  std::string Write() && {
    Title();
    Evidence();
    Headline();
    Replicas();
    out_ += AbsentSection(inspection_.report.absent, paint_, options_.width);
    out_ += FindingsSection(inspection_.report.findings, paint_, options_.width);
    PageFaults();
    return std::move(out_);
  }

 private:
  void Line(std::string_view text) { out_ += std::string(text) + "\n"; }

  void Wrapped(Ink ink, std::string_view text, std::string_view indent) {
    for (const std::string& line : Wrap(text, options_.width - indent.size())) {
      Line(std::string(indent) + paint_(ink, line));
    }
  }

  void Title() {
    const auto& detections = inspection_.report.detections;
    std::string title = "not recognised";
    if (!detections.empty()) {
      title = EngineAndFlavour(detections.front());
    }
    const std::string models = Models();
    if (!models.empty()) title += " · " + models;
    Wrapped(Ink::kBold, title, "");
    std::string about = fmt::format(" · {} series", inspection_.series);
    about += inspection_.scrapes > 1
                 ? fmt::format(" · two scrapes {} apart", FormatSeconds(inspection_.window_seconds))
                 : " · one scrape: figures since the start";
    if (inspection_.fault_count > 0) {
      about += " · " + Plural(inspection_.fault_count, "format fault") + " (below)";
    }
    const std::size_t room = options_.width - DisplayWidth(about);
    Line(paint_(Ink::kDim, Shorten(Printable(ShortName()), room) + about));
    for (std::size_t i = 1; i < detections.size(); ++i) {
      Wrapped(Ink::kDim, "also on this page: " + EngineText(detections[i]), "");
    }
  }

  // A file without its folders.
  std::string_view ShortName() const {
    const std::string_view name = inspection_.name;
    if (name.find("://") != std::string_view::npos) return name;
    return name.substr(name.rfind('/') + 1);
  }

  std::string Models() const {
    std::vector<std::string> models;
    for (const signals::ReplicaSignals& replica : inspection_.report.replicas) {
      const std::string model = Printable(replica.labels.Get("model"));
      if (!model.empty() && std::find(models.begin(), models.end(), model) == models.end()) {
        models.push_back(model);
      }
    }
    if (models.size() > 3) return Plural(models.size(), "model");
    return Join(models, ", ");
  }

  void Evidence() {
    for (const dialect::Detection& detection : inspection_.report.detections) {
      for (const std::string& line : detection.evidence) {
        Wrapped(Ink::kDim, "because " + Printable(line), "");
        if (!options_.why) return;
      }
    }
  }

  void Headline() {
    Line("");
    const auto ink = [&] {
      switch (inspection_.headline.state) {
        case signals::Headline::State::kGood:
          return Ink::kGood;
        case signals::Headline::State::kWaiting:
          return Ink::kBad;
        case signals::Headline::State::kUnknown:
          return Ink::kWarn;
      }
      return Ink::kPlain;
    };
    if (inspection_.report.detections.empty()) return NotRecognised();
    Wrapped(ink(), inspection_.headline.text, "");
  }

  void NotRecognised() {
    Wrapped(Ink::kWarn,
            "firstword knows no engine, gateway or GPU exporter that exports these names.", "");
    if (!inspection_.prefixes.empty()) {
      Wrapped(Ink::kPlain, "Seen: " + Printable(Join(inspection_.prefixes, ", ")) + " ...", "");
    }
    Wrapped(Ink::kPlain,
            "A dialect is one YAML file: --dialects DIR adds your own (docs/dialects.md).", "");
  }

  void Replicas() {
    const auto& replicas = inspection_.report.replicas;
    const bool gpu_page = inspection_.report.kind() == dialect::Kind::kGpu;
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      if (replicas.size() > 1) {
        Line("");
        Rule(fmt::format("replica {} of {}: {}", i + 1, replicas.size(),
                         Printable(ReplicaText(replicas[i]))));
      }
      const std::string figures = KeyFigures(replicas[i]);
      if (!figures.empty()) Wrapped(Ink::kPlain, figures, "");
      if (i < inspection_.report.decompositions.size()) {
        out_ += TtftSection(inspection_.report.decompositions[i], paint_, options_.width,
                            options_.unicode);
      }
      const std::string gpus = GpuTable(replicas[i], paint_, options_.width);
      out_ += gpus;
      out_ += SignalTables(replicas[i], paint_, options_.width, gpu_page && !gpus.empty());
    }
  }

  void Rule(const std::string& title) {
    const std::size_t used = DisplayWidth(title) + 4;
    std::string rule;
    for (std::size_t i = used; i < options_.width; ++i) rule += options_.unicode ? "─" : "-";
    Line(paint_(Ink::kDim, options_.unicode ? "── " : "-- ") + paint_(Ink::kBold, title) + " " +
         paint_(Ink::kDim, rule));
  }

  void PageFaults() {
    if (!inspection_.odd_content_type.empty()) {
      Line("");
      Wrapped(Ink::kDim,
              fmt::format("Content-Type: {}. Read as Prometheus text.",
                          Printable(inspection_.odd_content_type)),
              "");
    }
    if (inspection_.fault_count == 0) return;
    out_ += SectionHeading("Format faults", std::to_string(inspection_.fault_count), paint_);
    Table table({{.title = "", .ink = Ink::kDim}, {.title = ""}});
    const std::size_t shown = std::min(kShownFaults, inspection_.faults.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const exposition::Fault& fault = inspection_.faults[i];
      table.AddRow({fmt::format("{}:{}", fault.line, fault.column), Printable(fault.message)});
    }
    out_ += table.Render(paint_, options_.width);
    if (shown < inspection_.fault_count) {
      Line(paint_(Ink::kDim, "  --strict lists all of them"));
    }
  }

  const Inspection& inspection_;
  const Paint& paint_;
  const InspectTextOptions& options_;
  std::string out_;
};

}  // namespace

std::string InspectText(const Inspection& inspection, const Paint& paint,
                        const InspectTextOptions& options) {
  return InspectWriter(inspection, paint, options).Write();
}

std::string FaultLines(const Inspection& inspection) {
  std::string out;
  for (const exposition::Fault& fault : inspection.faults) {
    out += fmt::format("{}:{}:{}: {}\n", inspection.name, fault.line, fault.column,
                       Printable(fault.message));
  }
  return out;
}

}  // namespace firstword::cli
