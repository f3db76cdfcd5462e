# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Run at build time: writes OUTPUT with the git revision of SOURCE, only when it changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR revision STREQUAL "")
  set(revision "unknown")
  if(DEFINED ENV{SETKA_REVISION})  # a copy of the tree without its history
    set(revision "$ENV{SETKA_REVISION}")
  endif()
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT changes STREQUAL "")
    string(APPEND revision "+changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "extern const char* const setka_revision;\nconst char* const setka_revision = \"${revision}\";\n")
