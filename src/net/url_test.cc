#include "net/url.h"

#include <gtest/gtest.h>

#include <string>

namespace firstword::net {
namespace {

TEST(ParseUrlTest, Accepts) {
  auto f = [](std::string_view text, std::string_view printed, std::string_view authority,
              std::string_view target) {
    Result<Url> url = ParseUrl(text);
    ASSERT_TRUE(url) << text << ": " << url.error().message;
    EXPECT_EQ(url->ToString(), printed) << text;
    EXPECT_EQ(url->Authority(), authority) << text;
    EXPECT_EQ(url->target, target) << text;
  };
  f("http://host:8000/metrics", "http://host:8000/metrics", "host:8000", "/metrics");
  f("host:8000", "http://host:8000/", "host:8000", "/");
  f("host", "http://host/", "host:80", "/");
  f("HTTPS://host", "https://host/", "host:443", "/");
  f("https://host:443/a?b=c#d", "https://host/a?b=c", "host:443", "/a?b=c");
  f("http://host?x", "http://host/?x", "host:80", "/?x");
  f("http://[::1]:9400/metrics", "http://[::1]:9400/metrics", "[::1]:9400", "/metrics");
  f("http://[fe80::1%eth0]/m", "http://[fe80::1%eth0]/m", "[fe80::1%eth0]:80", "/m");
  f("http://u:p%40ss@host/m", "http://host/m", "host:80", "/m");
  f("http://u:p@ss@host/m", "http://host/m", "host:80", "/m");
  f("host:8000/m?to=http://x", "http://host:8000/m?to=http://x", "host:8000", "/m?to=http://x");
  f("unix:///run/engine.sock:/metrics", "unix:///run/engine.sock:/metrics", "/run/engine.sock",
    "/metrics");
  f("unix:///run/engine.sock", "unix:///run/engine.sock:/", "/run/engine.sock", "/");
}

TEST(ParseUrlTest, DecodesCredentialsAndNeverPrintsThem) {
  const Url url = ParseUrl("http://me:p%40ss%3a@host/m").value();
  EXPECT_EQ(url.user, "me");
  EXPECT_EQ(url.password, "p@ss:");
  auto f = [](std::string_view text, std::string_view message) {
    Result<Url> bad = ParseUrl(text);
    ASSERT_FALSE(bad) << text;
    EXPECT_EQ(bad.error().message, message);
  };
  f("http://me:secret@host:notaport/",
    "bad URL \"host:notaport/\": \"notaport\" is no port (1 to 65535)");
  f("http://me:secret@secret@host:notaport/",
    "bad URL \"host:notaport/\": \"notaport\" is no port (1 to 65535)");
  f("http://me:secret/secret@host/",
    "bad URL \"host/\": write a '/', '?' or '#' in the user or password as %2F, %3F or %23");
  f("me:secret@host://", "bad URL \"host://\": the port is missing after ':'");
}

TEST(ParseUrlTest, ShowsABadUrlOnOneLineOfPlainText) {
  const Result<Url> bad = ParseUrl("http://h/\x1b[31m\n\xc3\xa4");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message,
            "bad URL \"http://h/?[31m???\": it has a blank or control character; write it as %20");
}

TEST(ParseUrlTest, RejectsAndSaysWhy) {
  auto f = [](const std::string& text, std::string_view why) {
    Result<Url> url = ParseUrl(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(url.error().message.ends_with(why)) << text << ": " << url.error().message;
    EXPECT_FALSE(url.error().hint.empty());
  };
  f("", "it is empty");
  f("ftp://x", "scheme \"ftp\" is none of http, https, unix");
  f("http://", "the host is missing");
  f("http://:80/", "the host is missing");
  f("http://h:/", "the port is missing after ':'");
  f("http://h:0/", "\"0\" is no port (1 to 65535)");
  f("http://h:70000/", "\"70000\" is no port (1 to 65535)");
  f("http://h:8x/", "\"8x\" is no port (1 to 65535)");
  f("http://::1/", "an IPv6 address must stand in [ ]");
  f("http://[::1/", "the '[' of the IPv6 address is never closed");
  f("http://[fe80::1%]/", "what stands in [ ] is not an IPv6 address");
  f("http://[1:2]/", "what stands in [ ] is not an IPv6 address");
  f("http://h/\xc3\xa4", "it has a character outside ASCII; write its bytes as %C3%A4");
  f("http://" + std::string(9000, 'h'), "it is longer than 8192 bytes");
  f("unix:///" + std::string(200, 's'), "the socket path is longer than 107 bytes");
  f("http://[hello]/", "what stands in [ ] is not an IPv6 address");
  f("http://[::1]x/", "expected ':port' after ']'");
  f("http://a b/", "it has a blank or control character; write it as %20");
  f("http://h/\r\nX: y", "it has a blank or control character; write it as %20");
  f("http://h$/", "the host has a character that no host name has");
  f("http://u%zz@h/", "broken %-escape in the user or password");
  f("unix://relative.sock", "a unix socket needs an absolute path");
  f("unix:///a:metrics", "the path behind the socket must begin with '/'");
}

TEST(ResolveReferenceTest, FollowsTheUsualForms) {
  auto f = [](std::string_view location, std::string_view want) {
    const Url base = ParseUrl("http://h:8000/a/b?q").value();
    Result<Url> url = ResolveReference(base, location);
    ASSERT_TRUE(url) << location;
    EXPECT_EQ(url->ToString(), want) << location;
  };
  f("/metrics/", "http://h:8000/metrics/");
  f("c", "http://h:8000/a/c");
  f("?x=1", "http://h:8000/a/b?x=1");
  f("//other/m", "http://other/m");
  f("https://other:1/m", "https://other:1/m");
  f("/x?to=http://y/", "http://h:8000/x?to=http://y/");
  const Url base = ParseUrl("http://h/").value();
  EXPECT_FALSE(ResolveReference(base, ""));
  EXPECT_FALSE(ResolveReference(base, "unix:///etc/x:/y"));
  EXPECT_FALSE(ResolveReference(base, "/a\r\nb"));
  const Url socket = ParseUrl("unix:///run/a.sock:/m").value();
  EXPECT_EQ(ResolveReference(socket, "/n").value().ToString(), "unix:///run/a.sock:/n");
  EXPECT_FALSE(ResolveReference(socket, "///run/other.sock:/m"));
}

}  // namespace
}  // namespace firstword::net
