# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# The page of `setka report`: web/ bundled by npm into one file, share/setka/report.html of the build and of what is installed.
# Without npm the rest is built, and the command says what is missing.
set(SETKA_WEB AUTO CACHE STRING "The page of setka report, by npm: AUTO (where npm is found and can fetch), ON (or fail), OFF")
set_property(CACHE SETKA_WEB PROPERTY STRINGS AUTO ON OFF)
set(SETKA_WITH_WEB FALSE)
set(SETKA_WEB_FOLDER ${PROJECT_BINARY_DIR}/web)  # sources and node_modules: nothing is written beside the sources
set(SETKA_REPORT_PAGE ${PROJECT_BINARY_DIR}/share/setka/report.html)
if(SETKA_WEB)
  find_program(SETKA_NPM npm DOC "npm, for the page of setka report")
  find_program(SETKA_NODE NAMES node nodejs DOC "Node.js, for the page of setka report")
  if(SETKA_NPM AND SETKA_NODE)
    set(SETKA_WITH_WEB TRUE)
  elseif(NOT SETKA_WEB STREQUAL "AUTO")
    message(FATAL_ERROR "SETKA_WEB is ON, and npm or node was not found; install npm")
  endif()
endif()
if(NOT SETKA_WITH_WEB)
  message(STATUS "setka: npm not found or not wanted: no setka report; install npm and configure again")
  return()
endif()
message(STATUS "setka: npm: the page of setka report")

file(GLOB web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/*.json
     ${PROJECT_SOURCE_DIR}/web/*.mjs ${PROJECT_SOURCE_DIR}/web/.npmrc)
if(SETKA_TESTS)  # with the browser's remote control and the checker of types
  set(web_omits "")
else()
  set(web_omits --omit=dev)
endif()
add_custom_command(
  OUTPUT ${SETKA_REPORT_PAGE}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/web -DWORK=${SETKA_WEB_FOLDER} -DPAGE=${SETKA_REPORT_PAGE}
          -DNPM=${SETKA_NPM} -DNODE=${SETKA_NODE} -DOMITS=${web_omits} -DMODE=${SETKA_WEB}
          -P ${PROJECT_SOURCE_DIR}/cmake/BuildPage.cmake
  DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/cmake/BuildPage.cmake
  COMMENT "Bundling the page of setka report"
  VERBATIM)
add_custom_target(setka_web ALL DEPENDS ${SETKA_REPORT_PAGE})
install(FILES ${SETKA_REPORT_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/setka COMPONENT texts OPTIONAL)
