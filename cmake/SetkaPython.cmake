# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Finds an interpreter that has headers and NumPy, and pybind11. Of several interpreters the distribution's comes first, as
# its modules do; -DPython3_EXECUTABLE or -DPython_EXECUTABLE names another, -DSETKA_PYBIND11_INCLUDE a folder of headers.
set(SETKA_PYTHON AUTO CACHE STRING "The package setka for Python: AUTO (when Python, NumPy and pybind11 are found), ON (or fail), OFF")
set_property(CACHE SETKA_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(SETKA_WITH_PYTHON FALSE)
set(python_version "")
if(SETKA_PYTHON)
  # One line: version, suffix of extensions, headers, where packages are below a prefix.
  set(question [[
import os, sys, sysconfig
import numpy
include = sysconfig.get_paths()["include"]
assert os.path.exists(os.path.join(include, "Python.h")), "no Python.h in " + include
version = "%d.%d" % sys.version_info[:2]
packages = "dist-packages" if "deb_system" in sysconfig.get_scheme_names() else "site-packages"
print(";".join([version, sysconfig.get_config_var("EXT_SUFFIX"), include, "lib/python" + version + "/" + packages]))
]])
  if(Python3_EXECUTABLE)
    set(candidates ${Python3_EXECUTABLE})
  elseif(Python_EXECUTABLE)
    set(candidates ${Python_EXECUTABLE})
  else()
    find_program(SETKA_PYTHON_OF_SYSTEM python3 PATHS /usr/bin NO_DEFAULT_PATH)
    find_program(SETKA_PYTHON_OF_PATH python3)
    mark_as_advanced(SETKA_PYTHON_OF_SYSTEM SETKA_PYTHON_OF_PATH)
    set(candidates ${SETKA_PYTHON_OF_SYSTEM} ${SETKA_PYTHON_OF_PATH})
  endif()
  set(python_wanting "no python3")
  foreach(candidate IN LISTS candidates)
    execute_process(COMMAND ${candidate} -c "${question}" OUTPUT_VARIABLE answer ERROR_VARIABLE wanting
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(NOT failed)
      set(SETKA_PYTHON_EXECUTABLE ${candidate})
      list(GET answer 0 python_version)
      list(GET answer 1 SETKA_PYTHON_SUFFIX)
      list(GET answer 2 SETKA_PYTHON_INCLUDE)
      list(GET answer 3 python_packages)
      break()
    endif()
    string(REGEX REPLACE ".*\n" "" wanting "${wanting}")
    set(python_wanting "${candidate}: ${wanting}")
  endforeach()
  find_path(SETKA_PYBIND11_INCLUDE pybind11/pybind11.h HINTS ${pybind11_DIR}/../../../include ${pybind11_DIR}/../../include
            DOC "The folder that holds pybind11/pybind11.h")
  if(NOT SETKA_PYBIND11_INCLUDE)
    set(python_wanting "no pybind11")
  endif()
  if(SETKA_PYTHON_EXECUTABLE AND SETKA_PYBIND11_INCLUDE)
    set(SETKA_WITH_PYTHON TRUE)
    # Debian's own packages serve every version of Python.
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND python_packages MATCHES "dist-packages")
      set(python_packages lib/python3/dist-packages)
    endif()
    set(SETKA_PYTHON_INSTALL_DIR ${python_packages} CACHE STRING "Where the package setka goes, below the prefix")
  elseif(NOT SETKA_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "SETKA_PYTHON is ON, and it cannot be built (${python_wanting}); install python3-dev, python3-numpy and pybind11-dev")
  endif()
endif()
