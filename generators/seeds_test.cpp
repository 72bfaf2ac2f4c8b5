#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "generators/mutate.h"
#include "harness/document/document_stream.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::generators {
namespace {

std::vector<std::filesystem::path> files(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(FIXPOINT_SOURCE) / "corpus" / folder)) {
    found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Case read(const std::filesystem::path& path) {
  const auto documents = document::read_file(path);
  EXPECT_TRUE(documents.ok() && documents->size() == 1) << path;
  auto value = cases::read_case(documents->front());
  EXPECT_TRUE(value.ok()) << path << ": " << (value.ok() ? "" : value.error().text());
  return *std::move(value);
}

class Seed : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Seed, IsNamedNotedAndAdmitted) {
  const Case value = read(GetParam());
  EXPECT_EQ(value.name, GetParam().stem());
  EXPECT_FALSE(value.note.empty());
  const auto prepared = runner::prepare(value, injectors::resolve, {});
  ASSERT_TRUE(prepared.ok()) << prepared.error().text();
  EXPECT_TRUE(prepared->admission.allowed);
  EXPECT_TRUE(prepared->admission.invalid.empty());
  EXPECT_GE(prepared->admission.calls.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Seed, testing::ValuesIn(files("seeds")), [](const auto& seed) {
  std::string name = seed.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Seeds, AreThere) { EXPECT_GE(files("seeds").size(), 8u); }

/// Seeds are what real clients send; mutations of them are the most valuable Cases.
TEST(Seeds, CanBeMutatedAndCrossed) {
  DrawOptions options;
  options.subjects = injectors::newest(injectors::Role::subject);
  options.peers = injectors::newest(injectors::Role::peer);
  const DrawContext draw_context(options);
  const auto all = files("seeds");
  for (std::size_t i = 0; i < all.size(); ++i) {
    Choices choices(3, i);
    const Case crossed = crossover(read(all[i]), read(all[(i + 1) % all.size()]), choices);
    EXPECT_TRUE(cases::read_case(cases::write_case(mutate(crossed, choices, draw_context))).ok()) << all[i];
  }
}

TEST(ChainCorpus, IsMadeOfCases) {
  const auto all = files("fuzz/chain");
  EXPECT_GE(all.size(), 12u);
  for (const auto& path : all) EXPECT_TRUE(runner::prepare(read(path), injectors::resolve, {}).ok()) << path;
}

}  // namespace
}  // namespace fixpoint::generators
