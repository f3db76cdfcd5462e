# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# cmake --install, and the package that find_package(setka) finds.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/setka)
install(TARGETS setka_library EXPORT setkaTargets FILE_SET HEADERS FILE_SET generated_headers)
install(TARGETS setka ccx COMPONENT command)
install(EXPORT setkaTargets NAMESPACE setka:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/setkaConfig.cmake.in ${PROJECT_BINARY_DIR}/setkaConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/setkaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/setkaConfig.cmake ${PROJECT_BINARY_DIR}/setkaConfigVersion.cmake
        DESTINATION ${package_dir})
if(NOT BUILD_SHARED_LIBS AND SETKA_WITH_CHOLMOD)  # users of the static library link it themselves
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake DESTINATION ${package_dir})
endif()
