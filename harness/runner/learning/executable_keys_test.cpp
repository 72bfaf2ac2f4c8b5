#include "harness/runner/learning/executable_keys.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace fixpoint::runner {
namespace {

using Keys = std::vector<std::string>;

Keys keys_of(std::string_view bytes, std::size_t block = 1 << 20) {
  ExecutableKeys keys;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(block, bytes.size())))
    keys.take(bytes.substr(0, block));
  return keys.finish();
}

bool has(const Keys& keys, const char* key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

/// Returns the strings of a Go program: packed, shorter ones first, with its build info behind them.
const std::string& packed() {
  using namespace std::string_literals;
  static const std::string bytes =
      "\x7f"
      "ELF\0\0\0object has no idagent.example.com/rolevault.example.org/portsha3: Write after "s +
      "agent.example.com/injectvault.example.org/inject1000 entries are too many of them"s +
      "metrics.k8s.io/v1beta1admission.kubernetes.io/modehttps://docs.example.net/guide.html"s +
      "github.com/some/depcorp.example.net/tools/pkg/server.(*Server).Serve\0"s +
      "corp.example.net/tools.init\0go.example.dev/trace.Span\0"s +
      "\nwork-path\tcorp.example.net/tools/cmd/hook\nmod\tcorp.example.net/tools\tv1\t\n"s +
      "dep\tgo.example.dev\tv0.2\th1:x=\n"s;
  return bytes;
}

TEST(ExecutableKeys, CutsPackedStrings) {
  const Keys keys = keys_of(packed());
  for (const char* key : {"agent.example.com/inject", "vault.example.org/inject", "agent.example.com/role"})
    EXPECT_TRUE(has(keys, key)) << key;
  for (const std::string& key : keys) {
    EXPECT_EQ(key.find("k8s.io"), std::string::npos) << key;
    EXPECT_EQ(key.find("kubernetes.io"), std::string::npos) << key;
    EXPECT_EQ(key.find("github.com"), std::string::npos) << key;
    EXPECT_EQ(key.find("docs.example.net"), std::string::npos) << "an address: " << key;
    EXPECT_EQ(key.find("corp.example.net"), std::string::npos) << "a module: " << key;
    EXPECT_EQ(key.find("go.example.dev"), std::string::npos) << "a module: " << key;
  }
}

/// A key of unknown length does not take the length of a shorter one near it, which would end within its
/// prefix.
TEST(ExecutableKeys, TakesNoLengthThatIsShorterThanThePrefix) {
  using namespace std::string_literals;
  const std::string bytes =
      "\x7f"
      "ELF\0"s +
      "avault.hashicorp.com/agent-jsonpatchbvault.hashicorp.com/client-timeouterror of \0"s +
      "xexample.com/MyName\"yexample.com/Other\"\0"s;
  for (const std::string& key : keys_of(bytes)) EXPECT_GT(key.size(), key.find('/') + 1) << key;
}

/// Each key has a prefix and a name, for any bytes.
RC_GTEST_PROP(ExecutableKeysLaw, EachHasAPrefixAndAName, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"a", "b", "-", ".", "/", "\"", std::string(1, '\0'), "vault.hashicorp.com/",
                               "vault.hashicorp.com/client", "example.com/", "example.com/MyName", "k8s.io/",
                               "agent.example.org/inject", "//", "\nmod\t", " "}));
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  for (const std::string& key : keys_of(bytes, 7)) {
    const auto slash = key.find('/');
    RC_ASSERT(slash != std::string::npos && slash > 0 && slash + 1 < key.size());
  }
}

std::string little_endian(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (; size > 0; --size, number >>= 8) bytes += static_cast<char>(number & 0xff);
  return bytes;
}

/// Returns a whole x86-64 file: two packed strings, code that loads the first with its length, and data that
/// refers to the second.
std::string executable() {
  using namespace std::string_literals;
  constexpr std::uint64_t kBase = 0x400000, kStrings = 512, kCode = 1024, kData = 1536, kSize = 2048;
  const std::string first = "agent.example.com/inject", second = "other.example.org/mode";
  std::string file =
      "\x7f"
      "ELF\x02\x01"s +
      std::string(12, '\0') + little_endian(62, 2) + std::string(12, '\0') + little_endian(64, 8) +
      std::string(16, '\0') + little_endian(1, 2) + std::string(6, '\0');
  file += little_endian(1, 8) + little_endian(0, 8) + little_endian(kBase, 8) + little_endian(kBase, 8) +
          little_endian(kSize, 8) + little_endian(kSize, 8) + little_endian(4096, 8);
  file.resize(kStrings);
  file += "no role for it" + first + "json: bad" + second + "after it";
  file.resize(kCode);
  const std::uint64_t first_at = kStrings + 14, second_at = first_at + first.size() + 9;
  file +=
      "\x48\x8d\x0d"s + little_endian(first_at - (kCode + 7), 4) + "\xbf" + little_endian(first.size(), 4);
  file.resize(kData);
  file += little_endian(kBase + second_at, 8) + little_endian(second.size(), 8);
  file.resize(kSize + 512);
  return file;
}

/// The code that refers to a string gives its length, even if nothing else does.
TEST(ExecutableKeys, AreAsLongAsTheProgramSays) {
  const std::string file = executable();
  ExecutableKeys keys;
  keys.take(file);
  keys.take_again(file);
  EXPECT_EQ(keys.finish(), (Keys{"agent.example.com/inject", "other.example.org/mode"}));
  std::string broken = file.substr(0, 100);
  broken[32] = '\xff';  // the table of its parts lies elsewhere
  ExecutableKeys none;
  none.take(broken);
  none.take_again(broken);
  EXPECT_TRUE(none.finish().empty());
}

TEST(ExecutableKeys, DoNotDependOnTheBlocks) {
  const std::string bytes = std::string(3000, 'x') + packed() + std::string(3000, '\0') + packed();
  const Keys keys = keys_of(bytes);
  ASSERT_FALSE(keys.empty());
  for (const std::size_t block : {1u, 7u, 64u, 1000u, 4096u}) EXPECT_EQ(keys_of(bytes, block), keys) << block;
}

TEST(ExecutableKeys, ReadsStringsThatEndWithAZero) {
  const std::string bytes("junk\0agent.example.com/inject\0other\0side.example.io/mode\0/usr/lib.so/x\0", 71);
  EXPECT_EQ(keys_of(bytes), (Keys{"agent.example.com/inject", "side.example.io/mode"}));
}

TEST(ExecutableKeys, StaysBounded) {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += "p" + std::to_string(i) + ".example.com/enabled" + '\0';
  EXPECT_EQ(keys_of(bytes).size(), ExecutableKeys::kKeysMax);
  EXPECT_TRUE(keys_of(std::string(1 << 20, '/')).empty());
  EXPECT_TRUE(keys_of(std::string(1 << 20, 'a')).empty());
  EXPECT_TRUE(keys_of("").empty());
}

}  // namespace
}  // namespace fixpoint::runner
