#include "harness/cli/properties_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "harness/cli/work_folder_model.h"
#include "harness/golden_test.h"
#include "harness/properties/observation_kinds.h"
#include "injectors/bundled.h"

namespace fixpoint::cli {
namespace {

TEST(PropertiesPage, IsTheCommittedOne) {
  const WorkFolder folder("properties");
  const auto ran = folder.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", "explain --markdown");
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_golden("docs/properties.md", ran.out);
}

TEST(PropertiesPage, HasEveryPropertyAndItsWholeExplanation) {
  const auto& catalog = injectors::bundled().catalog;
  const std::string page = properties_page(catalog);
  std::size_t properties = 0;
  const auto check = [&](const auto* property) {
    ++properties;
    EXPECT_NE(page.find("\n### " + std::string(property->name) + "\n"), std::string::npos) << property->name;
    for (const auto text :
         {property->explanation.example, property->explanation.matters, property->explanation.fix})
      EXPECT_FALSE(text.empty()) << property->name;
  };
  std::for_each(catalog.of_cases().begin(), catalog.of_cases().end(), check);
  std::for_each(catalog.of_sequences().begin(), catalog.of_sequences().end(), check);
  EXPECT_GT(properties, 30u);
  for (const auto& kind : properties::explained_observation_kinds())
    EXPECT_NE(page.find("| " + std::string(kind.name) + " | " + std::string(kind.meaning) + " |"),
              std::string::npos);
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() <= 110 || line.starts_with("|")) << line;
}

TEST(PropertiesPage, IsAskedForInPlaceOfAName) {
  const WorkFolder folder("properties");
  for (const char* wrong : {"explain", "explain converges --markdown"})
    EXPECT_EQ(folder.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", wrong).code, 2) << wrong;
}

}  // namespace
}  // namespace fixpoint::cli
