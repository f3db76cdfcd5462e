#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# scripts/package test: what scripts/package made, in a fresh Debian 12 (debootstrap, from the mirror that apt uses here).
# SETKA_CHROOT: a folder for it, kept between runs; else build/chroot.
. "$(dirname "$0")/../scripts/lib.sh"
[ "$(id -u)" = 0 ] || { echo "scripts/package test makes a Debian of its own, which only root can" >&2; exit 1; }
packages=$PWD/build/packages
deb=$(ls "$packages"/setka_*.deb)
dev=$(ls "$packages"/libsetka-dev_*.deb)
tree=$(ls "$packages"/setka-[0-9]*.tar.xz)
python=$(ls "$packages"/python3-setka_*.deb)
mpi=$(ls "$packages"/setka-mpi_*.deb 2>/dev/null || true)
stage "packages" need_packages debootstrap
chroot=${SETKA_CHROOT:-$PWD/build/chroot}
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
  sed -nE 's#^URIs: *([^ ]+).*#\1#p; s#^deb +(\[[^]]*\] +)?([^ ]+) +bookworm +.*#\2#p' | head -n 1)

# The system has devices and mounts of its own, and nothing of this one is mounted there: what is removed is its copy alone.
leave() {
  local at
  for at in dev/pts proc; do
    if mountpoint -q "$chroot/system/$at"; then umount "$chroot/system/$at" || umount -l "$chroot/system/$at"; fi
  done
}
clear_away() {
  leave
  if grep -qF " $chroot/system" /proc/mounts; then
    echo "something is mounted below $chroot/system; unmount it first" >&2
    return 1
  fi
  rm -rf --one-file-system "$chroot/system"
}
fresh() {  # the bare system, made once, is copied for each test
  if [ ! -e "$chroot/base/etc/debian_version" ]; then
    clear_away || return 1
    rm -rf --one-file-system "$chroot/base"
    mkdir -p "$chroot"
    debootstrap --variant=minbase bookworm "$chroot/base" "$mirror" || return 1
  fi
  clear_away || return 1
  cp -a "$chroot/base" "$chroot/system"
  echo "deb $mirror bookworm main" >"$chroot/system/etc/apt/sources.list"
  printf 'Acquire::Check-Valid-Until "false";\nAPT::Install-Recommends "false";\n' >"$chroot/system/etc/apt/apt.conf.d/90test"
  cp /etc/resolv.conf /etc/hosts "$chroot/system/etc/" 2>/dev/null || true
  mount -t proc proc "$chroot/system/proc"
  mkdir -p "$chroot/system/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$chroot/system/dev/pts"
  ln -sf pts/ptmx "$chroot/system/dev/ptmx"
  cp "$deb" "$dev" "$tree" "$python" ${mpi:+"$mpi"} "$chroot/system/root/"
  cp -r tests/package "$chroot/system/root/tests"
  inside apt-get -qq update
}
trap leave EXIT
inside() { chroot "$chroot/system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
inside_sh() { inside bash -euo pipefail -c "$1"; }

# The tree runs where nothing is installed, wherever it is moved.
relocates() {
  xz -dc "$tree" >"$chroot/system/root/setka.tar"
  inside_sh 'mkdir -p "/opt/some where"
             tar -C "/opt/some where" -xf /root/setka.tar
             cd "/opt/some where"/setka-*
             bin/setka --version
             bin/ccx -v
             if ldd bin/setka | grep "not found"; then exit 1; fi
             bin/setka example block --size 3000 -o /tmp/block.inp
             bin/setka run /tmp/block.inp --report
             [ -s /tmp/block.frd ]
             grep -q "</html>" /tmp/block.html'
}
# apt install, and the first result: in less than a minute, with what apt fetches.
installs() {
  local began=$SECONDS
  inside_sh 'cd /root
             apt-get -qq install -y ./setka_*.deb
             mkdir -p /tmp/job
             cd /tmp/job
             setka example pump --size 20000 --modes 5 -o pump.inp
             setka run pump.inp' || return 1
  echo "from apt install to the frequencies: $((SECONDS - began)) s"
  [ $((SECONDS - began)) -lt 60 ] || return 1
  inside_sh 'if dpkg-query -W "libopenmpi*" "libpetsc*" 2>/dev/null; then exit 1; fi  # those are of setka-mpi alone
             cd /tmp/job
             setka info
             setka report pump.inp
             grep -q "</html>" pump.html'
}
# The library for the processor, and the one for all.
both_levels() {
  [ "$(uname -m)" = x86_64 ] || return 0
  inside_sh 'cd /tmp/job
             if grep -w avx2 /proc/cpuinfo >/dev/null; then ldd /usr/bin/setka | grep glibc-hwcaps/x86-64-v3; fi
             cp pump.dat newer.dat
             plain="/lib64/ld-linux-x86-64.so.2 --glibc-hwcaps-mask none"
             $plain --list /usr/bin/setka | grep libsetka >linked
             if grep hwcaps linked; then exit 1; fi
             $plain /usr/bin/setka run pump.inp
             # both say that they were built with the same, but for the page, which is found beside the program
             libraries() { sed -n "/^Libraries/,\$p" | grep -v "report page"; }
             diff <(setka info | libraries) <($plain /usr/bin/setka info | libraries)
             # the same eigenvalues, to six digits
             diff <(grep -E "^ +[0-9]+ +0\." newer.dat | head -n 5 | cut -c 1-18) <(grep -E "^ +[0-9]+ +0\." pump.dat | head -n 5 | cut -c 1-18)'
}
manual_and_completion() {
  inside_sh 'apt-get -qq install -y man-db bash-completion zsh fish >/dev/null
             man -w setka setka-run setka-ccx
             for page in /usr/share/man/man1/setka*; do [ -z "$(man --warnings -l "$page" 2>&1 >/dev/null)" ]; done
             sh /root/tests/complete.sh /usr/share/bash-completion/completions/setka /usr/share/zsh/vendor-completions/_setka /usr/share/fish/vendor_completions.d/setka.fish'
}
develops() {
  inside_sh 'cd /root
             apt-get -qq install -y ./libsetka-dev_*.deb g++ cmake make >/dev/null
             cmake -S tests/consumer -B /tmp/consumer
             cmake --build /tmp/consumer
             /tmp/consumer/consumer | grep "norm 5"'
}
# The module finds the library that the package setka brings, and computes the same as the command.
from_python() {
  inside_sh 'cd /root
             apt-get -qq install -y ./python3-setka_*.deb >/dev/null
             cd /tmp/job
             python3 -c "import setka
job = setka.run(\"pump.inp\")
print(job.frequencies)
assert len(job.frequencies) == 5 and job.frequencies[0] > 0
assert setka.solve_tridiagonal(-1.0, 4.0, -1.0, [3.0, 2.0, 3.0]).round(12).tolist() == [1.0, 1.0, 1.0]"
             [ -e /usr/lib/python3/dist-packages/setka/py.typed ]'
}
# Two processes of one machine; MPI is large, and comes with this package alone.
with_mpi() {
  if [ -z "$mpi" ]; then
    echo "no setka-mpi was made"
    return 0
  fi
  inside_sh 'cd /root
             apt-get -qq install -y ./setka-mpi_*.deb >/dev/null
             cd /tmp/job
             setka example block --size 3000 -o block.inp
             OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 setka run block.inp
             [ -s block.frd ]'
}
# The name ccx: an alternative where nothing else has it; CalculiX's own comes and goes without a conflict.
ccx_alone() {
  inside_sh 'readlink /usr/bin/ccx | grep /etc/alternatives/ccx
             ccx -v | grep Setka'
}
ccx_beside_calculix() {
  inside_sh 'apt-get -qq install -y calculix-ccx >/dev/null
             [ ! -L /usr/bin/ccx ]
             if ccx -v | grep Setka; then exit 1; fi
             /usr/libexec/setka/ccx -v | grep Setka
             dpkg --verify calculix-ccx
             apt-get -qq remove -y calculix-ccx >/dev/null
             ccx -v | grep Setka'
}
ccx_after_calculix() {
  inside_sh 'cd /root
             apt-get -qq purge -y python3-setka libsetka-dev setka >/dev/null
             for gone in /usr/lib/python3/dist-packages/setka /usr/share/setka /usr/bin/ccx /etc/alternatives/ccx /usr/libexec/setka /usr/share/man/man1/setka.1; do
               [ ! -e $gone ] || exit 1
               [ ! -L $gone ] || exit 1
             done
             apt-get -qq install -y calculix-ccx >/dev/null
             sum=$(sha256sum /usr/bin/ccx)
             apt-get -qq install -y ./setka_*.deb >/dev/null
             [ "$(sha256sum /usr/bin/ccx)" = "$sum" ]
             /usr/libexec/setka/ccx -v | grep Setka
             apt-get -qq purge -y setka >/dev/null
             [ "$(sha256sum /usr/bin/ccx)" = "$sum" ]'
}
stage "a fresh Debian 12" fresh
stage "the relocatable tree" relocates
stage "apt install and a first result" installs
stage "ccx where nothing else has the name" ccx_alone
stage "ccx beside CalculiX" ccx_beside_calculix
stage "the libraries of all processors" both_levels
stage "manual pages and completions" manual_and_completion
stage "libsetka-dev" develops
stage "python3-setka" from_python
stage "setka-mpi" with_mpi
stage "ccx after CalculiX, and nothing left when removed" ccx_after_calculix
echo "== all passed"
