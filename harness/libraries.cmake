# The libraries that have no package files for CMake: for the build, and for find_package(fixpoint).
foreach(library microhttpd re2)
  if(NOT TARGET fixpoint::${library})
    find_library(FIXPOINT_${library} NAMES ${library} REQUIRED)
    mark_as_advanced(FIXPOINT_${library})
    add_library(fixpoint::${library} UNKNOWN IMPORTED)
    set_target_properties(fixpoint::${library} PROPERTIES IMPORTED_LOCATION ${FIXPOINT_${library}})
  endif()
endforeach()
