# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Packages for Debian by cpack: setka (the command, its library, completions, manual pages), libsetka-dev, setka-mpi where
# PETSc was found, python3-setka where the Python module is built (install component `python`). With CUDA their names end in
# -cuda, and one of both kinds can be installed. scripts/package calls cpack.
set(suffix "")
set(summary "solves the mesh and grid equations of mechanics and heat")
if(SETKA_WITH_CUDA)
  set(suffix "-cuda")
  string(APPEND summary ", on GPUs too")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME setka${suffix})
set(CPACK_PACKAGE_VENDOR "the Setka authors")
set(CPACK_PACKAGE_CONTACT "the Setka authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${summary})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)

# setka_package(GROUP name summary COMPONENTS ..): one package, with the licence and what has changed in its folder.
set(CPACK_COMPONENTS_ALL "")
macro(setka_package group name summary)
  string(TOUPPER ${group} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT)
  set(CPACK_COMPONENT_GROUP_${upper}_DESCRIPTION "${summary}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}")
  foreach(component ${ARGN} ${group}_papers)
    string(TOUPPER ${component} upper_component)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_COMPONENT_${upper_component}_GROUP ${group})
  endforeach()
  foreach(twin setka libsetka-dev setka-mpi python3-setka)
    if(SETKA_WITH_CUDA AND "${name}" STREQUAL "${twin}-cuda" OR "${name}" STREQUAL "libsetka-cuda-dev" AND twin STREQUAL "libsetka-dev")
      set(CPACK_DEBIAN_${upper}_PACKAGE_PROVIDES "${twin} (= ${PROJECT_VERSION})")
      set(CPACK_DEBIAN_${upper}_PACKAGE_CONFLICTS ${twin})
      set(CPACK_DEBIAN_${upper}_PACKAGE_REPLACES ${twin})
    endif()
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright
          COMPONENT ${group}_papers EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${group}_papers EXCLUDE_FROM_ALL)
endmacro()

setka_package(base setka${suffix} "${summary}" command runtime texts private_ccx)
set(CPACK_DEBIAN_BASE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_BASE_PACKAGE_RECOMMENDS libopenblas0-pthread)  # any BLAS serves; this one is fast
set(CPACK_DEBIAN_BASE_PACKAGE_SUGGESTS "paraview, calculix-cgx, setka-mpi")
set(control ${PROJECT_BINARY_DIR}/debian)
foreach(script postinst prerm python/postinst python/prerm)
  configure_file(packaging/debian/${script}.in ${control}/${script} @ONLY FILE_PERMISSIONS
                 OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CPACK_DEBIAN_BASE_PACKAGE_CONTROL_EXTRA
    "${control}/postinst;${control}/prerm;${PROJECT_SOURCE_DIR}/packaging/debian/triggers")

setka_package(dev libsetka${suffix}-dev "${summary}: headers for C++" development)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "setka${suffix} (= ${PROJECT_VERSION}), libfmt-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "cmake")

if(SETKA_WITH_PETSC)
  setka_package(mpi setka-mpi${suffix} "${summary}: on many machines by MPI" mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "setka${suffix} (= ${PROJECT_VERSION}), openmpi-bin | mpi-default-bin")
endif()

get_cmake_property(components COMPONENTS)
if("python" IN_LIST components)
  setka_package(python python3-setka${suffix} "${summary}: module for Python" python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${control}/python/postinst;${control}/python/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "setka${suffix} (= ${PROJECT_VERSION}), python3 (>= ${python_version}~), python3 (<< ${python_version}.9999), python3-numpy")
endif()
include(CPack)
