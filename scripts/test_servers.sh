#!/bin/sh
# Installs what tests need beside Python packages, if it is missing: sh scripts/test_servers.sh [nginx] [object-store]
#   nginx         Debian's package nginx-light, with apt-get (as root or with sudo)
#   object-store  moto, a local S3 server, with pip into .cache/object-store (about 100 MB)
# SAU_NGINX=none and SAU_OBJECT_STORE=none install nothing; SAU_OBJECT_STORE=/path/to/moto_server uses another one.
# Always exits with 0: tests that need something that cannot be installed are skipped with a reason.
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_nginx() {
    export DEBIAN_FRONTEND=noninteractive
    package="apt-get install -y --no-install-recommends nginx-light"
    as_root $package || { as_root apt-get update && as_root $package; }
}

# The file `installed` appears last, so an interrupted installation is made again. The programs of an environment name
# its folder, so it cannot be made elsewhere and moved.
install_object_store() {
    place="$here/.cache/object-store"
    rm -rf "$place" && mkdir -p "$here/.cache" && "$python" -m venv "$place" &&
        "$place/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements/object-store.txt" &&
        touch "$place/installed"
}

# try COMMAND MESSAGE: runs it, and shows the end of its output with the message if it fails.
try() {
    log=$(mktemp)
    "$1" >"$log" 2>&1 || { tail -3 "$log"; echo "$2"; }
    rm -f "$log"
}

for wanted in "$@"; do
    case $wanted in
        nginx)
            if [ "$SAU_NGINX" = none ]; then
                echo "SAU_NGINX=none: nginx is not installed, and the tests of replicas are skipped."
            elif ! PATH="$PATH:/usr/sbin" command -v nginx >/dev/null; then
                echo "The tests of replicas need nginx: installing the system package 'nginx-light' with apt-get (once)."
                echo "To do without it, press Ctrl+C and run: make cluster-test SAU_NGINX=none (skips these tests)"
                try install_nginx "nginx cannot be installed here: the tests of replicas are skipped."
            fi ;;
        object-store)
            if [ "$SAU_OBJECT_STORE" = none ]; then
                echo "SAU_OBJECT_STORE=none: moto is not installed, and the tests of s3:// URLs are skipped."
            elif [ -z "$SAU_OBJECT_STORE" ] && [ ! -f "$here/.cache/object-store/installed" ]; then
                echo "The tests of s3:// URLs need a local S3 server: installing moto into .cache/object-store (once)."
                try install_object_store "moto cannot be installed here: the tests of s3:// URLs are skipped."
            fi ;;
        *) echo "Unknown: $wanted. Give nginx or object-store." ;;
    esac
done
exit 0
