#include "vocabulary.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace firstword::cases {
namespace {

struct Word {
  std::string_view word;
  std::string_view signal;
};
constexpr Word kKeyWords[] = {
    {"ttft", "llm:ttft_seconds"},
    {"itl", "llm:itl_seconds"},
    {"request_tpot", "llm:tpot_seconds"},
    {"tpot", "llm:tpot_seconds"},
    {"e2e", "llm:e2e_seconds"},
    {"queue_time", "llm:queue_seconds"},
    {"tokens_per_step", "llm:step_tokens"},
    {"running", "llm:requests_running"},
    {"waiting", "llm:requests_waiting"},
    {"queue", "llm:requests_waiting"},
    {"queued", "llm:requests_waiting"},
    {"kv_usage", "llm:kv_cache_usage_ratio"},
    {"preemptions", "llm:preemptions_total"},
    {"prefix_queries", "llm:prefix_cache_queries_total"},
    {"prefix_hits", "llm:prefix_cache_hits_total"},
    {"hits", "llm:prefix_cache_hits_total"},
    {"generation_tokens", "llm:generation_tokens_total"},
    {"prompt_tokens", "llm:prompt_tokens_total"},
};

// In plain words; the first that the question has wins.
constexpr Word kQuestionWords[] = {
    {"inter-token latency", "llm:itl_seconds"},          {"ttft", "llm:ttft_seconds"},
    {"time to first token", "llm:ttft_seconds"},         {"kv usage", "llm:kv_cache_usage_ratio"},
    {"kv-cache usage", "llm:kv_cache_usage_ratio"},      {"preemption", "llm:preemptions_total"},
    {"generated tokens", "llm:generation_tokens_total"}, {"standing queue", "llm:queue_seconds"},
    {"iteration_tokens_total", "llm:step_tokens"},
};

const Sentence kSentences[] = {
    {{"missing engines"}, "engines_missing", {}},
    {{"gauge disagrees with the counters"}, "gauge_disagrees_with_counters", {"counters"}},
    {{"too few samples"}, "too_few_requests", {"too few"}},
    {{"repeats the engines' gauges"}, "router_repeats_engines", {"same names"}},
    {{"rewrites every colon", "label values"}, "relayed_engine", {"every colon", "label values"}},
    {{"is slow"}, "slow_replica", {"is slow"}},
    {{"near full"}, "kv_usage_uneven", {"nearly full"}},
    {{"kernel was resident"}, "gpu_busy_but_idle_pipes", {"a kernel is resident"}},
    {{"deferred", "not by capacity"}, "deferred_waiting", {"not by capacity"}},
    {{"application memory fault"}, "xid_changed", {"application"}},
    {{"must not stay open"}, "xid_changed", {"one event, not a lasting error"}},
    {{"start time"}, "created_series", {"began", "restarts"}},
    {{"mean is"}, "quantile_in_top_bucket", {"The mean is"}},
    {{"running", "waiting growing"}, "no_progress", {"running", "waiting grew"}},
    {{"no first tokens", "since"}, "no_progress", {"no token"}},
    {{"no http request in progress"}, "frozen_gauges", {"no HTTP request in flight"}},
    {{"gpu idle"}, "frozen_gauges", {"GPU 0 % utilised at"}},
    {{"counters flat"}, "frozen_gauges", {"no counter did"}},
};

constexpr Word kDiagnoses[] = {
    {"stuck-engine", "no_progress"},
    {"monitoring-artefact", "frozen_gauges"},
};
// Labels that stand in must_not, and the finding that would amount to them.
constexpr std::string_view kOtherDiagnoses[] = {"queue-bound", "kv-thrash", "compute-bound"};

std::vector<std::string> Split(std::string_view key) {
  std::vector<std::string> tokens;
  std::size_t from = 0;
  while (from <= key.size()) {
    const std::size_t to = std::min(key.find('_', from), key.size());
    tokens.emplace_back(key.substr(from, to - from));
    from = to + 1;
  }
  return tokens;
}

std::string Join(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : "_") + token;
  return text;
}

std::optional<double> NumberAfter(std::string_view text, std::string_view prefix,
                                  std::string_view suffix = {}) {
  if (!text.starts_with(prefix) || !text.ends_with(suffix)) return std::nullopt;
  if (text.size() <= prefix.size() + suffix.size()) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size() - suffix.size();
  const auto [rest, error] = std::from_chars(text.data() + prefix.size(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// Takes what the last tokens say: a window, a target, a unit.
void TakeScope(std::vector<std::string>& tokens, const std::vector<std::string>& targets,
               Figure& figure) {
  if (tokens.size() > 2) {
    const auto from = NumberAfter(tokens[tokens.size() - 2], "t");
    const auto to = NumberAfter(tokens.back(), "t");
    if (from && to) {
      figure.from = from;
      figure.to = to;
      tokens.resize(tokens.size() - 2);
    }
  }
  if (!tokens.empty() && tokens.back() == "fleet") tokens.pop_back();
  if (!tokens.empty() &&
      std::find(targets.begin(), targets.end(), tokens.back()) != targets.end()) {
    figure.target = tokens.back();
    tokens.pop_back();
  }
  if (tokens.size() > 1 && tokens.back() == "s") tokens.pop_back();
}

std::optional<Figure> WholeKey(std::string_view key) {
  using Stat = Figure::Stat;
  Figure figure;
  if (key == "engines_known") figure.stat = Stat::kRanksKnown;
  if (key == "engines_reporting") figure.stat = Stat::kRanksReporting;
  if (key == "hit_rate") figure.stat = Stat::kHitRate;
  if (figure.stat != Stat::kValue) return figure;
  if (key == "capacity" || key == "deferred") {
    figure.stat = Stat::kByLabel;
    figure.signal = "llm:requests_waiting_by_reason";
    figure.label = "reason";
    figure.label_value = key;
    return figure;
  }
  if (key == "device" || key == "host") {
    figure.stat = Stat::kHitRateOf;
    figure.label = "source";
    figure.label_value = key;
    return figure;
  }
  if (const auto seconds = NumberAfter(key, "waited_more_than_", "s")) {
    figure.stat = Stat::kAbove;
    figure.signal = "llm:queue_seconds";
    figure.low = *seconds;
    return figure;
  }
  constexpr std::string_view kShareOfSteps = "share_of_steps_in_";
  if (key.starts_with(kShareOfSteps)) {
    const std::vector<std::string> bounds = Split(key.substr(kShareOfSteps.size()));
    if (bounds.size() != 2) return std::nullopt;
    const auto low = NumberAfter(bounds[0], "");
    const auto high = NumberAfter(bounds[1], "");
    if (!low || !high) return std::nullopt;
    figure.stat = Stat::kShare;
    figure.signal = "llm:step_tokens";
    figure.low = *low;
    figure.high = *high;
    return figure;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> SignalOf(std::string_view word) {
  for (const Word& known : kKeyWords) {
    if (known.word == word) return std::string(known.signal);
  }
  return std::nullopt;
}

std::optional<std::string> SignalInQuestion(std::string_view question) {
  for (const Word& known : kQuestionWords) {
    if (HasWords(question, known.word)) return std::string(known.signal);
  }
  return std::nullopt;
}

std::optional<Figure> ParseFigure(std::string_view key, std::string_view question,
                                  const std::vector<std::string>& targets) {
  using Stat = Figure::Stat;
  if (auto whole = WholeKey(key)) return whole;
  Figure figure;
  std::vector<std::string> tokens = Split(key);
  TakeScope(tokens, targets, figure);
  const std::string in_question = SignalInQuestion(question).value_or("");
  if (tokens.empty()) {
    // A bare target: what the question asks of each.
    figure.signal = in_question;
    if (HasWords(question, "rate")) figure.stat = Stat::kRate;
    return figure.signal.empty() ? std::nullopt : std::optional(figure);
  }
  std::vector<std::string> rest;
  for (const std::string& token : tokens) {
    const auto percent = NumberAfter(token, "p");
    if (percent) {
      figure.stat = Stat::kQuantile;
      figure.quantile = *percent / 100;
    } else if (token == "mean") {
      figure.stat = Stat::kMean;
    } else if (token == "max") {
      figure.stat = Stat::kMax;
    } else if (token == "increase") {
      figure.stat = Stat::kIncrease;
    } else if (token == "wrong") {
      figure.stat = Stat::kWrong;
    } else {
      rest.push_back(token);
    }
  }
  const std::string word = Join(rest);
  if (word == "requests" || word == "steps") {
    figure.stat = Stat::kCount;
    figure.signal = word == "steps" ? "llm:step_tokens" : in_question;
  } else if (word.empty() || figure.stat == Stat::kWrong) {
    figure.signal = in_question;
  } else {
    figure.signal = SignalOf(word).value_or("");
  }
  return figure.signal.empty() ? std::nullopt : std::optional(figure);
}

const Sentence* SentenceFor(std::string_view expectation) {
  for (const Sentence& sentence : kSentences) {
    const bool all = std::all_of(sentence.words.begin(), sentence.words.end(),
                                 [&](std::string_view w) { return HasWords(expectation, w); });
    if (all) return &sentence;
  }
  return nullptr;
}

std::optional<std::string_view> FindingForDiagnosis(std::string_view label) {
  for (const Word& known : kDiagnoses) {
    if (known.word == label) return known.signal;
  }
  return std::nullopt;
}

bool IsDiagnosis(std::string_view label) {
  return FindingForDiagnosis(label).has_value() ||
         std::find(std::begin(kOtherDiagnoses), std::end(kOtherDiagnoses), label) !=
             std::end(kOtherDiagnoses);
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool HasWords(std::string_view text, std::string_view words) {
  return Lower(text).find(Lower(words)) != std::string::npos;
}

std::vector<std::string> NumbersIn(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const bool named = i > 0 && std::isalpha(static_cast<unsigned char>(text[i - 1])) != 0;
    const std::size_t from = i;
    while (i < text.size() && (is_digit(text[i]) ||
                               (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1])))) {
      ++i;
    }
    if (!named) numbers.emplace_back(text.substr(from, i - from));
  }
  return numbers;
}

}  // namespace firstword::cases
