#include "simulate/pages/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace firstword::simulate {
namespace {

using dialect::Writer;

TEST(NumberTextTest, IsSpelledAsTheWriterDoes) {
  auto f = [](double value, const std::string& python, const std::string& go,
              const std::string& cpp, const std::string& plain, const std::string& open_metrics) {
    const auto print = [&](Writer writer) {
      std::string out;
      AppendNumber(writer, value, out);
      return out;
    };
    EXPECT_EQ(print(Writer::kPython), python);
    EXPECT_EQ(print(Writer::kPythonMultiprocess), python);
    EXPECT_EQ(print(Writer::kGo), go);
    EXPECT_EQ(print(Writer::kCpp), cpp);
    EXPECT_EQ(print(Writer::kPlain), plain);
    EXPECT_EQ(print(Writer::kOpenMetrics), open_metrics);
  };
  f(0, "0.0", "0", "0", "0", "0");
  f(1, "1.0", "1", "1", "1", "1");
  f(-1, "-1.0", "-1", "-1", "-1", "-1");
  f(-0.0, "-0.0", "-0", "-0", "0", "0");
  f(0.3, "0.3", "0.3", "0.3", "0.3", "0.3");
  f(0.0001, "0.0001", "0.0001", "0.0001", "0.0001", "0.0001");
  f(9.75010481363281e-06, "9.75010481363281e-06", "9.75010481363281e-06", "9.750104813632809e-06",
    "9.7501e-06", "0.00000975010481363281");
  f(557536, "557536.0", "557536", "557536", "557536", "557536");
  f(1e6, "1e+06", "1e+06", "1000000", "1000000", "1000000");
  f(1124233, "1.124233e+06", "1.124233e+06", "1124233", "1124233", "1124233");
  f(-1124233, "-1124233.0", "-1.124233e+06", "-1124233", "-1124233", "-1124233");
  f(75141726208, "7.5141726208e+10", "7.5141726208e+10", "75141726208", "75141726208",
    "75141726208");
  f(1790824327.2214785, "1.7908243272214785e+09", "1.7908243272214785e+09", "1790824327.221478",
    "1.79082e+09", "1790824327.2214785");
  f(235.7434567, "235.7434567", "235.7434567", "235.7434567", "235.743", "235.7434567");
  f(913.461130581002, "913.461130581002", "913.461130581002", "913.461130581002", "913.461",
    "913.461130581002");
  f(1e22, "1e+22", "1e+22", "1e+22", "1e+22", "1e+22");
  f(INFINITY, "+Inf", "+Inf", "+Inf", "+Inf", "+Inf");
  f(-INFINITY, "-Inf", "-Inf", "-Inf", "-Inf", "-Inf");
  f(NAN, "NaN", "NaN", "Nan", "NaN", "NaN");
}

TEST(NumberTextTest, BoundsOfOpenMetricsAreFloats) {
  auto f = [](Writer writer, double bound, const std::string& want) {
    std::string out;
    AppendBound(writer, bound, out);
    EXPECT_EQ(out, want);
  };
  f(Writer::kOpenMetrics, 1, "1.0");
  f(Writer::kOpenMetrics, 0.5, "0.5");
  f(Writer::kOpenMetrics, 100000, "100000.0");
  f(Writer::kPython, 1, "1.0");
  f(Writer::kGo, 1, "1");
}

}  // namespace
}  // namespace firstword::simulate
