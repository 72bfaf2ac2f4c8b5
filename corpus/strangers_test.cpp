#include "corpus/strangers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace fixpoint::corpus {
namespace {

namespace files = std::filesystem;

constexpr const char* kTwoWebhooks =
    "kind: Service\n---\nkind: MutatingWebhookConfiguration\nmetadata: {name: hooks}\n"
    "webhooks: [{name: one.example.io}, {name: two.example.io}]\n";

/// A folder with a program of each language, for which a test writes the catalog.
class StrangersCatalog : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = files::temp_directory_path() / ("fixpoint-strangers-" + std::to_string(getpid()));
    files::remove_all(folder_);
    for (const char* program : {"python/a_b.py", "node/c.js", "go/cmd/d/main.go", "python/bare.py"})
      write(program, "");
    for (const char* name : {"python/a_b", "node/c", "go/cmd/d"})
      write(std::string(name) + ".yaml", kTwoWebhooks);
    write("examples/pod.yaml", "kind: Pod\n");
  }
  void TearDown() override { files::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    files::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  document::Result<std::vector<Stranger>> read(const std::string& catalog) const {
    write("catalog.yaml", catalog);
    return read_strangers(folder_.string());
  }
  /// Returns the error without the path of the folder.
  std::string error_of(const std::string& catalog) const {
    const auto read_back = read(catalog);
    if (read_back.ok()) return "none";
    std::string text = read_back.error().text();
    for (auto at = text.find(folder_.string()); at != std::string::npos; at = text.find(folder_.string()))
      text.erase(at, folder_.string().size() + 1);
    return text;
  }

  files::path folder_;
};

TEST_F(StrangersCatalog, IsReadWithWhatStandsBesideThePrograms) {
  const auto strangers = read(
      "- {name: a, program: python/a_b.py, right: true, reason: It is right.}\n"
      "- {name: b-1, program: node/c.js, right: false, reason: W., finds: [idempotent, rewrites]}\n"
      "- {name: c, program: go/cmd/d/main.go, right: true, reason: W., example: examples/pod.yaml}\n");
  ASSERT_TRUE(strangers.ok()) << strangers.error().text();
  ASSERT_EQ(strangers->size(), 3u);
  const Stranger &python = strangers->at(0), &node = strangers->at(1), &go = strangers->at(2);
  const std::string folder = folder_.string() + "/";
  EXPECT_EQ(python.tool, "python3");
  EXPECT_EQ(python.program, folder + "python/a_b.py");
  EXPECT_EQ(python.configuration, folder + "python/a_b.yaml");
  EXPECT_EQ(python.webhooks, (std::vector<std::string>{"hooks/one.example.io", "hooks/two.example.io"}));
  EXPECT_TRUE(python.is_right);
  EXPECT_EQ(python.why, "It is right.");
  EXPECT_EQ(python.example, "");
  EXPECT_EQ(node.tool, "node");
  EXPECT_EQ(node.finds, (std::vector<std::string>{"idempotent", "rewrites"}));
  EXPECT_FALSE(node.is_right);
  EXPECT_EQ(go.tool, "go");
  EXPECT_EQ(go.program, folder + "go/cmd/d/main.go");
  EXPECT_EQ(go.configuration, folder + "go/cmd/d.yaml");
  EXPECT_EQ(go.example, folder + "examples/pod.yaml");
}

TEST_F(StrangersCatalog, HasARightOneForEachThatItsProgramRepairs) {
  const auto strangers = read(
      "- {name: a, program: python/a_b.py, right: false, fixed: true, reason: W., finds: [idempotent], "
      "warned: [admitted-by-cluster]}\n"
      "- {name: a-b, program: node/c.js, right: true, reason: R.}\n");
  ASSERT_TRUE(strangers.ok()) << strangers.error().text();
  ASSERT_EQ(strangers->size(), 3u);
  const Stranger &wrong = strangers->at(0), &fixed = strangers->at(2);
  EXPECT_EQ(strangers->at(1).name, "a-b");
  EXPECT_EQ(wrong.argument, "");
  EXPECT_FALSE(wrong.is_right);
  EXPECT_EQ(fixed.name, "a-fixed");
  EXPECT_EQ(fixed.program, wrong.program);
  EXPECT_EQ(fixed.argument, "fixed");
  EXPECT_TRUE(fixed.is_right);
  EXPECT_TRUE(fixed.finds.empty());
  EXPECT_EQ(fixed.warned, std::vector<std::string>{"admitted-by-cluster"});
}

TEST_F(StrangersCatalog, SaysInOneLineWhatIsWrongAndWhere) {
  write("python/empty.py", "");
  write("python/empty.yaml", "kind: Service\n");
  const struct {
    const char* catalog;
    const char* says;
  } rows[] = {
      {"name: a\n", "catalog.yaml: expected one list of strangers"},
      {"- {program: python/a_b.py, right: true, reason: W.}\n",
       "catalog.yaml: /0/name: expected a string, found nothing"},
      {"- {name: a_b, program: python/a_b.py, right: true, reason: W.}\n",
       "catalog.yaml: /0/name: expected letters, digits and '-', found \"a_b\""},
      {"- {name: a, program: python/../x.py, right: true, reason: W.}\n",
       "catalog.yaml: /0/program: expected python/NAME.py, node/NAME.js or go/cmd/NAME/main.go, found "
       "\"python/../x.py\""},
      {"- {name: a, program: node/gone.js, right: true, reason: W.}\n",
       "catalog.yaml: /0/program: expected a file, found none: node/gone.js"},
      {"- {name: a, program: python/bare.py, right: true, reason: W.}\n",
       "catalog.yaml: /0/program: expected a file, found none: python/bare.yaml"},
      {"- {name: a, program: python/empty.py, right: true, reason: W.}\n",
       "catalog.yaml: /0/program: python/empty.yaml: expected a MutatingWebhookConfiguration with a webhook, "
       "found none"},
      {"- {name: a, program: python/a_b.py, reason: W.}\n",
       "catalog.yaml: /0/right: expected true or false, found nothing"},
      {"- {name: a, program: python/a_b.py, right: true}\n",
       "catalog.yaml: /0/reason: expected a string, found nothing"},
      {"- {name: a, program: python/a_b.py, right: true, reason: W., finds: [answers]}\n",
       "catalog.yaml: /0/finds: expected nothing: what is right has nothing to find"},
      {"- {name: a, program: python/a_b.py, right: true, reason: W., fixed: true}\n",
       "catalog.yaml: /0/fixed: expected nothing: what is right has nothing to repair"},
      {"- {name: a, program: python/a_b.py, right: false, reason: W., finds: [answers], warned: [answers]}\n",
       "catalog.yaml: /0/warned: expected nothing: only what is right may be warned of"},
      {"- {name: a, program: python/a_b.py, right: false, reason: W.}\n",
       "catalog.yaml: /0/finds: expected the properties that tell what is wrong, found none"},
      {"- {name: a, program: python/a_b.py, right: true, reason: W., example: examples/gone.yaml}\n",
       "catalog.yaml: /0/example: expected a file, found none: examples/gone.yaml"},
      {"- {name: a, program: python/a_b.py, right: true, reason: W., example: pod.yaml}\n",
       "catalog.yaml: /0/example: expected examples/NAME.yaml, found \"pod.yaml\""},
      {"- {name: a, program: python/a_b.py, right: true, reason: W., find: [answers]}\n",
       "catalog.yaml: /0/find: unknown field (did you mean \"finds\"?)"},
      {"- {name: b, program: python/a_b.py, right: true, reason: W.}\n"
       "- {name: a, program: node/c.js, right: true, reason: W.}\n",
       "catalog.yaml: /1/name: expected a name behind \"b\", found \"a\""}};
  for (const auto& row : rows) EXPECT_EQ(error_of(row.catalog), row.says) << row.catalog;
}

}  // namespace
}  // namespace fixpoint::corpus
