# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# cmake --install, and the package that find_package(setka) finds. Components: runtime, development, command, ccx, texts,
# mpi and python, which cpack and scripts/package make packages of.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/setka)
install(TARGETS setka_library EXPORT setkaTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development
        FILE_SET HEADERS COMPONENT development
        FILE_SET generated_headers COMPONENT development)
if(SETKA_PACKAGING)  # what the distribution does not have lies in a folder of ours: scripts/package, and CUDA's runtime
  set_property(TARGET setka_library PROPERTY INSTALL_RPATH $ORIGIN/setka $ORIGIN/../../setka)
  if(SETKA_WITH_CUDA)
    file(GLOB cudart ${CUDAToolkit_LIBRARY_DIR}/libcudart.so.${CUDAToolkit_VERSION_MAJOR})
    install(CODE "file(INSTALL DESTINATION \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/setka\" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN FILES \"${cudart}\")"
            COMPONENT runtime)
  endif()
  foreach(level IN LISTS SETKA_LEVELS)  # the loader takes the newest that the processor can run
    string(REGEX MATCH "^([^=]+)=(.*)$" level "${level}")
    install(PROGRAMS ${CMAKE_MATCH_2}/lib/libsetka.so.${PROJECT_VERSION} RENAME libsetka.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${CMAKE_MATCH_1} COMPONENT runtime)
  endforeach()
endif()
install(TARGETS setka COMPONENT command)
install(TARGETS ccx COMPONENT ccx)
# CalculiX's package owns /usr/bin/ccx, so that of Setka has its own elsewhere.
install(TARGETS ccx DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/setka COMPONENT private_ccx EXCLUDE_FROM_ALL)
file(RELATIVE_PATH lib_from_libexec /${CMAKE_INSTALL_LIBEXECDIR}/setka /${CMAKE_INSTALL_LIBDIR})
set_property(TARGET ccx APPEND PROPERTY INSTALL_RPATH $ORIGIN/${lib_from_libexec})
install(EXPORT setkaTargets NAMESPACE setka:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/setkaConfig.cmake.in ${PROJECT_BINARY_DIR}/setkaConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/setkaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/setkaConfig.cmake ${PROJECT_BINARY_DIR}/setkaConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
if(NOT BUILD_SHARED_LIBS AND SETKA_WITH_CHOLMOD)  # users of the static library link it themselves
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake DESTINATION ${package_dir} COMPONENT development)
endif()

# Completions of shells and manual pages, which the command writes itself; not of a build for another processor.
if(NOT CMAKE_CROSSCOMPILING)
  set(texts ${PROJECT_BINARY_DIR}/texts)
  set(speak ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:setka>)
  add_custom_command(
    OUTPUT ${texts}/setka.bash ${texts}/_setka ${texts}/setka.fish ${texts}/man1/setka.1
    COMMAND ${speak} completion bash > ${texts}/setka.bash
    COMMAND ${speak} completion zsh > ${texts}/_setka
    COMMAND ${speak} completion fish > ${texts}/setka.fish
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${texts}/man1
    COMMAND ${speak} manual --folder ${texts}/man1
    DEPENDS setka
    COMMENT "Writing completions and manual pages"
    VERBATIM)
  file(MAKE_DIRECTORY ${texts})
  add_custom_target(setka_texts ALL DEPENDS ${texts}/setka.bash)
  install(FILES ${texts}/setka.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME setka COMPONENT texts)
  install(FILES ${texts}/_setka DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT texts)
  install(FILES ${texts}/setka.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT texts)
  install(DIRECTORY ${texts}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT texts)
endif()
