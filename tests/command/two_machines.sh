#!/bin/sh
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
# two_machines.sh SETKA: a deck by one process, and by two in network namespaces with names and addresses of their own,
# as on two machines; then with a deck that one of them does not have, and with a folder that they do not
# share. Exits 77 where namespaces are not allowed.
set -u
setka=$1
folder=$(mktemp -d)
a=setka-a-$$
b=setka-b-$$
cleanup() {
  ip netns del $a 2>/dev/null
  ip netns del $b 2>/dev/null
  rm -rf "$folder"
}
trap cleanup EXIT
for program in ip mpirun unshare; do
  command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done
{ ip netns add $a && ip netns add $b && ip link add sa$$ netns $a type veth peer name sb$$ netns $b &&
  ip netns exec $b unshare --uts --mount hostname setka-b; } >/dev/null 2>&1 ||
  { echo "skipped: network namespaces are not allowed"; exit 77; }
for one in "$a sa$$ 1" "$b sb$$ 2"; do
  set -- $one
  ip -n "$1" addr add 10.213.7."$3"/24 dev "$2" && ip -n "$1" link set "$2" up && ip -n "$1" link set lo up || exit 1
done

# In the place of ssh: HOST COMMAND...
cat >"$folder/agent" <<EOF
#!/bin/sh
shift
exec ip netns exec $b unshare --uts --mount sh -c 'hostname setka-b; [ ! -e $folder/apart ] || { mount -t tmpfs none $folder/apart; [ ! -e $folder/after ] || . $folder/after; }; exec sh -c "\$0"' "\$*"
EOF
chmod +x "$folder/agent"
on_both() {
  ip netns exec $a unshare --uts sh -c "hostname setka-a; cd '$1'; OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 \
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -H 10.213.7.1:1,10.213.7.2:1 -n 2 --mca plm_rsh_agent $folder/agent \
    --mca btl tcp,self --mca btl_tcp_if_include 10.213.7.0/24 --mca oob_tcp_if_include 10.213.7.0/24 \
    '$setka' run b --tolerance 1e-11"
}
cd "$folder" || exit 1
"$setka" example block --size 3000 --element C3D8 -o b.inp >/dev/null || exit 1
"$setka" run b --tolerance 1e-11 >/dev/null || exit 1
grep -A 3 displacements b.dat >alone
rm b.dat
on_both "$folder" >out 2>&1 || { cat out; exit 1; }
grep -q "on 2 processes" out || { cat out; exit 1; }
grep -A 3 displacements b.dat >both
awk 'NR == FNR { for (i = 1; i <= NF; ++i) a[FNR, i] = $i; lines = FNR; next }
     { for (i = 1; i <= NF; ++i) if ($i + 0 != 0) { d = ($i - a[FNR, i]) / $i; if (d * d > 1e-12) bad = 1; ++seen } }
     END { exit bad || seen < 4 || FNR != lines }' alone both || { cat alone both; exit 1; }

mkdir apart
cp b.inp apart
on_both "$folder/apart" >out 2>&1 && { cat out; exit 1; }
grep -q "setka: error: process 1: b: cannot read" out || { cat out; exit 1; }
[ ! -e apart/b.dat ] || { echo "results without the second process"; exit 1; }

# The second machine has another deck of that name.
echo "cp $folder/other.inp $folder/apart/b.inp" >"$folder/after"
{ cat b.inp && echo "** another one"; } >other.inp
on_both "$folder/apart" >out 2>&1 && { cat out; exit 1; }
grep -q "setka: error: .*process 1 reads another b.inp" out || { cat out; exit 1; }

# It has the deck, but in a folder of its own.
echo "cp $folder/same.inp $folder/apart/b.inp" >"$folder/after"
cp b.inp same.inp
on_both "$folder/apart" >out 2>&1 && { cat out; exit 1; }
grep -q "setka: error: process 1: $folder/apart on setka-b is not the folder of that name on setka-a" out || { cat out; exit 1; }
[ "$(ls apart)" = b.inp ] || { ls apart; echo "files of a run that was refused"; exit 1; }
echo "two machines agree"
