# The targets for public headers that are named for a library. Each adds that library to fixpoint::fixpoint:
# find_package(fixpoint COMPONENTS gtest) finds it, a build that has fixpoint as a part finds it itself.
set(fixpoint_packages_rapidcheck rapidcheck)
set(fixpoint_packages_nlohmann nlohmann_json)
set(fixpoint_packages_gtest GTest)
set(fixpoint_packages_libfuzzer "")

if(NOT TARGET fixpoint::gtest)
  foreach(component rapidcheck nlohmann gtest libfuzzer)
    add_library(fixpoint::${component} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(fixpoint::${component} INTERFACE fixpoint::fixpoint)
  endforeach()
  target_link_libraries(fixpoint::rapidcheck INTERFACE rapidcheck)
  target_link_libraries(fixpoint::nlohmann INTERFACE nlohmann_json::nlohmann_json)
  # GoogleMock has EXPECT_THAT; the header works without it.
  target_link_libraries(fixpoint::gtest INTERFACE $<TARGET_NAME_IF_EXISTS:GTest::gmock> GTest::gtest)
  # libFuzzer where the compiler has it, else a main that runs files and folders.
  target_compile_options(fixpoint::libfuzzer INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fsanitize=fuzzer-no-link>)
  target_link_options(fixpoint::libfuzzer INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fsanitize=fuzzer>)
  target_link_libraries(fixpoint::libfuzzer INTERFACE $<$<NOT:$<CXX_COMPILER_ID:Clang>>:fixpoint::replay>)
endif()
