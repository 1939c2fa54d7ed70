#!/usr/bin/env bash
# Tries what the Dockerfile makes without a container engine: the published output on a bare Debian, with the ASP.NET runtime if it is
# the managed build, as an ordinary user on a read-only root file system, with the image's variables, entry point and health check;
# then stops it as an engine would and starts it again on the same volume. Needs root, debootstrap, redis-cli and the SDK.
# Usage: deploy/try-in-chroot.sh native|managed [work folder]
# MIRROR names the Debian mirror; the machine's own by default.
set -euo pipefail
cd "$(dirname "$0")/.."
user=1654 # APP_UID of the runtime image

say() { echo "== $*"; }
die() { echo "failed: $*" >&2; exit 1; }

# Second half, in namespaces of its own: mounts and the network go with them.
if [ "${1:-}" = --inside ]; then
  work=$3 root=$3/root
  stage=$(sed -n "/^FROM .* AS $2\$/,/^\$/p" Dockerfile)
  mapfile -t variables < <(sed -n 's/^ENV //p' <<< "$stage")
  entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' <<< "$stage")
  check=$(sed -n 's/^HEALTHCHECK.*CMD \["\(.*\)"\]$/\1/p' <<< "$stage" | sed 's/", "/ /g')
  [ -n "$entry" ] && [ -n "$check" ] || die "the Dockerfile's entry point or health check is not found"
  ip link set lo up
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc /proc
  mount -t proc proc "$root/proc"
  mount --bind "$work/data" "$root/data"
  for device in null zero urandom; do mount --bind /dev/$device "$root/dev/$device"; done
  mount -o remount,bind,ro "$root"
  # Each of these programs becomes the next, so that a background process is the server itself.
  inside=(chroot --userspec=$user:$user "$root" env -i PATH=/usr/bin:/bin "${variables[@]}")
  if "${inside[@]}" /bin/sh -c ': > /app/x' 2> /dev/null; then die "the root file system can be written"; fi
  for round in 1 2; do
    "${inside[@]}" GARNET_SAVE='3600 1000000' GARNET_APPENDONLY=yes "$entry" > "$work/log.$round" 2>&1 &
    server=$!
    for ((i = 0; ; i++)); do
      # shellcheck disable=SC2086
      if answer=$("${inside[@]}" $check 2>&1); then break; fi
      kill -0 $server 2> /dev/null || { cat "$work/log.$round"; die "the server ended"; }
      [ $i -lt 100 ] || die "health check: $answer"
      sleep 0.1
    done
    say "round $round, health check: $answer"
    [ "$(ps -o uid= -p $server | tr -d ' ')" = $user ] || die "the server does not run as $user"
    if [ $round = 2 ]; then [ "$(redis-cli get greeting)" = hello ] || die "the data is gone"; fi
    [ "$(redis-cli set greeting hello)" = OK ] || die "SET"
    [ "$(redis-cli bgsave)" = "Background saving started" ] || die "BGSAVE"
    while redis-cli info persistence | grep -q rdb_bgsave_in_progress:1; do sleep 0.1; done
    redis-cli info persistence | grep -q rdb_last_bgsave_status:ok || die "the snapshot failed"
    kill -TERM $server
    wait $server || die "exit code $?"
  done
  ls -l "$work/data"
  say "all is well"
  exit 0
fi

[ "$(id -u)" = 0 ] || die "run this as root"
kind=${1:-native}
case "$kind" in
  native) publish=(-p:PublishAot=true) ;;
  managed) publish=() ;;
  *) die "native or managed, not '$kind'" ;;
esac
work=${2:-$(mktemp -d)}
mkdir -p "$work/data"
say "publishing the $kind build"
dotnet publish src/GarnetServer -c Release "${publish[@]}" -o "$work/app" -v q --nologo
root=$work/root
if [ ! -e "$root/usr/bin/env" ]; then
  say "making a bare Debian"
  # Some machines have only one of the places where the mirror may stand.
  mirror=${MIRROR:-$({ sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm main.*/\2/p; s/^URIs: \([^ ]*\).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null || true; } | head -1)}
  # What the runtime image installs on Debian's base.
  debootstrap --variant=minbase --include=ca-certificates,libc6,libgcc-s1,libssl3,libstdc++6,tzdata,zlib1g bookworm "$root" "$mirror" > "$work/debootstrap.log" \
    || die "debootstrap; see $work/debootstrap.log"
fi
say "adding the program"
rm -rf "$root/app" "$root/usr/share/dotnet"
mkdir -p "$root/data"
if [ "$kind" = managed ]; then
  dotnet=$(dirname "$(readlink -f "$(command -v "${DOTNET_HOST_PATH:-dotnet}")")")
  [ -d "$dotnet/shared" ] || dotnet=/usr/share/dotnet
  mkdir -p "$root/usr/share/dotnet"
  cp -a "$dotnet/dotnet" "$dotnet/host" "$dotnet/shared" "$root/usr/share/dotnet/"
fi
cp -a "$work/app" "$root/app"
for device in null zero urandom; do [ -e "$root/dev/$device" ] || : > "$root/dev/$device"; done
chown $user:$user "$work/data"
exec unshare --mount --net --pid --fork "$0" --inside "$kind" "$work"
