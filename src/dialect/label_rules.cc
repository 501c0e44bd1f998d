#include "dialect/label_rules.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace firstword::dialect {
namespace {

using promql::Label;
using promql::Labels;

constexpr std::string_view kExported = "exported_";

const LabelRule* FindRule(std::string_view name, const Dialect& dialect, const Part& part) {
  if (const auto at = part.labels.find(name); at != part.labels.end()) return &at->second;
  const auto at = dialect.labels.find(name);
  return at == dialect.labels.end() ? nullptr : &at->second;
}

std::string Translate(const LabelRule& rule, std::string_view value) {
  std::string text = rule.as_address ? AddressOf(value) : std::string(value);
  if (const auto at = rule.table.find(text); at != rule.table.end()) return at->second;
  return rule.otherwise.value_or(std::move(text));
}

// Tells the scraper's labels from the exporter's.
class Origins {
 public:
  Origins(const Labels& raw, const Labels* target) : raw_(raw), target_(target) {}

  [[nodiscard]] bool IsTargets(std::string_view name) const {
    if (target_ != nullptr) return target_->Has(name);
    return name == "job" || name == "instance" ||
           raw_.Has(std::string(kExported) + std::string(name));
  }

  // The name on the exporter's page: a scraper that found its own label there
  // stored the exporter's as exported_<name>.
  [[nodiscard]] std::string_view ScrapedName(std::string_view name) const {
    if (!name.starts_with(kExported)) return name;
    const std::string_view base = name.substr(kExported.size());
    return raw_.Has(base) && IsTargets(base) ? base : name;
  }

 private:
  const Labels& raw_;
  const Labels* target_;
};

// The first non-empty of the dialect's replica labels.
std::string_view FindReplica(const Labels& raw, const Dialect& dialect) {
  for (const std::string& name : dialect.replica_from) {
    if (const std::string_view value = raw.Get(name); !value.empty()) return value;
  }
  return "";
}

bool Names(const std::vector<Label>& labels, std::string_view name) {
  return std::ranges::find(labels, name, &Label::name) != labels.end();
}

void SetOnce(Labels& labels, std::string_view name, std::string_view value) {
  if (!labels.Has(name)) labels.Set(name, value);
}

}  // namespace

std::string AddressOf(std::string_view text) {
  for (const std::string_view mark : {"://", "_//"}) {
    if (const std::size_t at = text.find(mark); at != std::string_view::npos) {
      text.remove_prefix(at + mark.size());
    }
  }
  std::string address(text.substr(0, text.find('/')));
  // Exporters that allow no ':' in a value write host_port.
  const std::size_t joint = address.rfind('_');
  const bool is_port = joint != std::string::npos && joint + 1 < address.size() &&
                       std::all_of(address.begin() + static_cast<std::ptrdiff_t>(joint) + 1,
                                   address.end(), [](unsigned char c) { return std::isdigit(c); });
  if (is_port && address.find(':') == std::string::npos) address[joint] = ':';
  return address;
}

MappedLabels MapLabels(const Labels& raw, const Labels* target, const Dialect& dialect,
                       const Part& part, const SignalDef& signal, bool is_bucket) {
  const Origins origins(raw, target);
  MappedLabels mapped;
  Labels canonical;
  std::vector<Label> kept;     // the scraper's own, and unlisted ones
  std::vector<Label> scraped;  // the unlisted ones among them
  for (const Label& label : raw.all()) {
    if (label.name == promql::kMetricName || (is_bucket && label.name == "le")) continue;
    const std::string_view name = origins.ScrapedName(label.name);
    if (name == label.name && origins.IsTargets(name)) {
      kept.push_back(label);
      continue;
    }
    const LabelRule* rule = FindRule(name, dialect, part);
    const bool names_replica =
        std::ranges::find(dialect.replica_from, name) != dialect.replica_from.end();
    if (rule == nullptr && !names_replica) {
      if (!part.bag) scraped.push_back(label);
      continue;
    }
    if (rule != nullptr && rule->role == LabelRule::Role::kCopies) continue;
    if (rule != nullptr && rule->role == LabelRule::Role::kTo) {
      SetOnce(canonical, rule->to, Translate(*rule, label.value));
    }
    // Two values that become one canonical value are parts as well.
    mapped.share.append(label.name).append("=").append(label.value).append("\n");
  }
  mapped.relayed = canonical.Has("instance");
  for (const auto& [name, value] : part.constants) canonical.Set(name, value);
  SetOnce(canonical, "replica", FindReplica(raw, dialect));
  if (signal.family != "gpu") SetOnce(canonical, "backend", dialect.backend);
  if (signal.family == "llm" && !Names(scraped, "rank")) SetOnce(canonical, "rank", "0");

  kept.insert(kept.end(), scraped.begin(), scraped.end());
  for (Label& label : kept) {
    if (canonical.Has(label.name)) label.name.insert(0, kExported);
  }
  kept.insert(kept.end(), canonical.all().begin(), canonical.all().end());
  mapped.labels = Labels(std::move(kept));
  return mapped;
}

}  // namespace firstword::dialect
