# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# Shared by the scripts beside it: stages, and the packages of Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build/log
jobs=${SETKA_JOBS:-$(nproc)}

# What a user needs to build and run Setka, and what the tests need on top of it.
build_packages="g++ cmake ninja-build git libeigen3-dev libcli11-dev libfmt-dev libspdlog-dev nlohmann-json3-dev
zlib1g-dev libsuitesparse-dev libopenblas-dev libtomlplusplus-dev libmetis-dev libscotch-dev
python3-dev python3-numpy pybind11-dev"
test_packages="ccache libgtest-dev libgmock-dev libbenchmark-dev clang-format clang-tidy clang libclang-rt-dev libomp-dev
python3 python3-meshio python3-vtk9 python3-scipy python3-tqdm python3-gmsh python3-pip python3-setuptools
calculix-ccx-test pkg-config libpetsc-real-dev libslepc-real-dev openmpi-bin iproute2
fish zsh man-db python3-sphinx python3-myst-parser furo"
# The page of setka report is tested in a browser; Ubuntu has Chromium as a snap, which is none for scripts. npm may be there
# from elsewhere, as a release of Node.js has it; packages hold the page too.
command -v npm >/dev/null || test_packages+=" npm"
! grep -qs '^ID=debian' /etc/os-release || test_packages+=" chromium"

package_packages="dpkg-dev file patchelf xz-utils"
command -v npm >/dev/null || package_packages+=" npm"
docs_packages="python3 python3-sphinx python3-myst-parser furo doxygen"

# stage NAME COMMAND...: one line while it runs; on failure its own output, and the end.
stage() {
  local name=$1 log began
  shift
  log=build/log/$(tr -c 'a-zA-Z0-9\n' '-' <<<"$name").log
  began=$SECONDS
  printf '== %s\n' "$name"
  if ! "$@" >"$log" 2>&1; then
    cat "$log"
    printf '== failed: %s (the whole output: %s)\n' "$name" "$log" >&2
    exit 1
  fi
  printf '   done in %d s\n' $((SECONDS - began))
}

# Installs what is missing; nothing, and no network, when nothing is.
need_packages() {
  local missing="" package
  if ! command -v dpkg-query >/dev/null; then
    echo "   not a Debian system: make sure that these are installed: $*"
    return
  fi
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q '^installed' || missing+=" $package"
  done
  [ -n "$missing" ] || return 0
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "not root and no sudo: install these packages, then run this again:$missing"; return 1; }
    sudo=sudo
  fi
  $sudo apt-get update
  # shellcheck disable=SC2086 # a list of words
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

# With a GPU, CUDA is worth its time to compile; without one it is compiled to be checked, by those who change it.
has_gpu() { nvidia-smi -L 2>/dev/null | grep -q '^GPU 0'; }

configure_and_build() {  # PRESET [cmake options]
  local preset=$1
  shift
  stage "configure $preset" cmake --preset "$preset" "$@"
  build "$preset"
}

# Of ninja's lines how far it is: what is left is taken to last as long a step as what is done. A terminal shows it every
# second in one line, a log every half minute.
show_progress() {
  local began=$SECONDS told=0 every=30 begin='' end='\n' line spent left
  [ ! -t 1 ] || { every=1 begin='\r' end='\033[K'; }
  while IFS= read -r line; do
    spent=$((SECONDS - began))
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && ((spent - told >= every)) || continue
    told=$spent
    left=$((spent * (BASH_REMATCH[2] - BASH_REMATCH[1]) / BASH_REMATCH[1]))
    # shellcheck disable=SC2059 # begin and end are of this function
    printf "$begin   [%d/%d] %d:%02d, about %d:%02d left$end" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
      $((spent / 60)) $((spent % 60)) $((left / 60)) $((left % 60))
  done
  [ ! -t 1 ] || printf '\r\033[K'
}

build() {  # PRESET [cmake --build options]
  local preset=$1 log=build/log/build-$1.log began=$SECONDS
  shift
  printf '== build %s\n' "$preset"
  if ! NINJA_STATUS='[%f/%t] ' cmake --build --preset "$preset" -j "$jobs" "$@" 2>&1 | tee "$log" | show_progress; then
    sed '/^\[[0-9]*\/[0-9]*\] /d' "$log"
    printf '== failed: build %s (the whole output: %s)\n' "$preset" "$log" >&2
    exit 1
  fi
  printf '   done in %d s\n' $((SECONDS - began))
}

# Of the output of GoogleTest what failed, stopped midway or belongs to no case; the rest as it is.
what_failed() {
  awk '/^\[ RUN      \]/ { printf "%s", held; held = ""; inside = 1 }
       !inside { print; next }
       { held = held $0 "\n" }
       /^\[       OK \]|^\[  SKIPPED \]/ { held = ""; inside = 0 }
       /^\[  FAILED  \]/ { printf "%s", held; held = ""; inside = 0 }
       END { printf "%s", held }' "$1"
}

# The suite: its cases and those skipped are counted on the terminal; on failure only what failed is shown.
run_tests() {  # PRESET [ctest options]
  local preset=$1 log=build/log/test-$1.log all=build/$1/Testing/Temporary/LastTest.log
  shift
  printf '== test %s\n' "$preset"
  if ! ctest --preset "$preset" -j "$jobs" "$@" >"$log" 2>&1; then
    what_failed "$log" | grep -vE ' Passed |^ *Start |^\[-----|\(Skipped\)$' || true
    printf '== failed: test %s (the whole output: %s)\n' "$preset" "$log" >&2
    exit 1
  fi
  printf '   %d cases, %d skipped\n' "$(grep -c '^\[ RUN      \]' "$all" || true)" \
    "$(cat "$log" "$all" | grep -cE '\*\*\*Skipped|^\[  SKIPPED \] .* ms\)$' || true)"
  grep -E 'tests passed|Total Test time' "$log" | sed 's/^/   /'
}
