#include "harness/apiserver/defaulting/image_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace fixpoint::apiserver {
namespace {

TEST(ImageReference, LatestIsPulledAlways) {
  const std::string digest(64, 'a');
  for (const std::string& image :
       {std::string("nginx"), std::string("a.b/c:latest"), std::string("h:5000/x"),
        "x:latest@sha256:" + digest, std::string("[::1]:80/x"), std::string("Host/x")}) {
    EXPECT_TRUE(is_latest_image(image)) << image;
  }
  for (const std::string& image :
       {std::string(""), std::string("nginx:1"), "x@sha256:" + digest, std::string("Nginx"), digest,
        std::string("a b"), std::string("x@sha256:0"), std::string("x:latest:y")}) {
    EXPECT_FALSE(is_latest_image(image)) << image;
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
