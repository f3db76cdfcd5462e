# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Run at build time: PAGE from the sources in SOURCE, in the folder WORK. Where MODE is AUTO and npm cannot fetch what the page
# is made of, there is none, and the next build tries again.
file(GLOB entries ${SOURCE}/src ${SOURCE}/*.json ${SOURCE}/*.mjs ${SOURCE}/.npmrc)
file(REMOVE_RECURSE ${WORK}/src)
file(COPY ${entries} DESTINATION ${WORK})

file(SHA256 ${SOURCE}/package-lock.json wanted)
string(APPEND wanted " ${OMITS}")
set(have "")
if(EXISTS ${WORK}/node_modules/setka-has)
  file(READ ${WORK}/node_modules/setka-has have)
endif()
set(failed 0)
if(NOT have STREQUAL wanted)
  set(words ci --ignore-scripts --no-audit --no-fund --fetch-retries=2 --fetch-retry-maxtimeout=20000)
  if(OMITS)
    list(APPEND words ${OMITS})
  endif()
  execute_process(COMMAND ${NPM} ${words} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_VARIABLE text
                  ERROR_VARIABLE text)
  if(NOT failed)
    file(WRITE ${WORK}/node_modules/setka-has "${wanted}")
  endif()
endif()
if(NOT failed)
  execute_process(COMMAND ${NODE} build.mjs ${PAGE} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE wrong OUTPUT_VARIABLE text
                  ERROR_VARIABLE text)
  if(wrong)
    message(FATAL_ERROR "the page of setka report cannot be bundled:\n${text}")
  endif()
elseif(MODE STREQUAL "AUTO")
  message(WARNING "npm could not fetch what the page of setka report is made of, so there will be no setka report; "
                  "the next build tries again. npm said:\n${text}")
else()
  message(FATAL_ERROR "npm could not fetch what the page of setka report is made of:\n${text}")
endif()
