#include "harness/apiserver/text/formats.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/apiserver/text/ip.h"
#include "harness/apiserver/validation/path.h"

namespace fixpoint::apiserver::validation {
namespace {

TEST(Formats, CountEachProblem) {
  EXPECT_EQ(check_dns_label(std::string(64, 'a')).size(), 1u);
  EXPECT_EQ(check_dns_label(std::string(64, '-')).size(), 2u);
  EXPECT_EQ(check_qualified_name("").size(), 2u);
  EXPECT_EQ(check_qualified_name("/").size(), 3u);
  EXPECT_EQ(check_qualified_name("a/b/c").size(), 1u);
  EXPECT_EQ(check_port_name("--").size(), 3u);
  EXPECT_TRUE(check_generate_name("job-").empty());
  EXPECT_FALSE(check_generate_name("-").empty());
  EXPECT_TRUE(check_generated_label("a.-").empty()) << "the server does not look at what it masks";
  EXPECT_TRUE(check_generated_label(std::string(63, 'a') + "-").empty());
  EXPECT_FALSE(check_generated_label("-").empty());
  EXPECT_TRUE(check_qualified_name_lowered("Example.io/A").empty());
  EXPECT_TRUE(check_sysctl_name("net/ipv4/conf/eno2.100/rp_filter").empty());
  EXPECT_EQ(check_non_reserved_path("..a").size(), 1u);
  EXPECT_EQ(check_non_reserved_path("../a").size(), 1u);
  EXPECT_TRUE(is_padded("x\n"));
}

TEST(Ip, ReadsLeniently) {
  EXPECT_EQ(parse_ip("010.0.0.1")->canonical(), "10.0.0.1");
  EXPECT_FALSE(parse_ip("010.0.0.1")->is_strict);
  EXPECT_EQ(parse_ip("2001:DB8:0:0::1")->canonical(), "2001:db8::1");
  EXPECT_EQ(parse_ip("::ffff:1.2.3.4")->canonical(), "1.2.3.4");
  EXPECT_EQ(parse_ip("::")->canonical(), "::");
  EXPECT_EQ(parse_ip("1:0:0:2:0:0:0:3")->canonical(), "1:0:0:2::3");
  for (const char* text :
       {"", "1.2.3", "1.2.3.256", "1:2", "::1::", "1:2:3:4:5:6:7::8:9", "fe80::1%eth0", "x"}) {
    EXPECT_FALSE(parse_ip(text)) << text;
  }
}

TEST(Path, IsSpelledAsTheServerDoes) {
  const Path spec("spec"), containers = spec.child("containers"), first = containers.at(0);
  const Path limits = first.child("resources.limits");
  EXPECT_EQ(limits.key("cpu").text(), "spec.containers[0].resources.limits[cpu]");
  EXPECT_EQ(Path("").text(), "[]");
}

}  // namespace
}  // namespace fixpoint::apiserver::validation
