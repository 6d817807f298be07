#!/bin/sh
# Installs what tests need beside the package's extras, if it is missing:
# sh scripts/test_servers.sh [nginx] [object-store] [promtool] [datasets]
#   nginx         Debian's package nginx-light, with apt-get (as root or with sudo)
#   object-store  moto, a local S3 server, with pip into .cache/object-store (about 100 MB)
#   promtool      a program of Debian's package prometheus, unpacked into .cache/promtool; no server is installed
#   datasets      the library `datasets`, which writes Parquet, with pip into .cache/datasets (about 400 MB)
# SAU_NGINX=none, SAU_OBJECT_STORE=none, SAU_PROMTOOL=none and SAU_DATASETS=none install nothing.
# SAU_OBJECT_STORE=/path/to/moto_server uses another server, and SAU_DATASETS=/path/to/python another environment.
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
install_environment() {
    place="$here/.cache/$1"
    rm -rf "$place" && mkdir -p "$here/.cache" && "$python" -m venv "$place" &&
        "$place/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements/$1.txt" &&
        touch "$place/installed"
}

install_promtool() {
    place="$here/.cache/promtool"
    work=$(mktemp -d) && (
        cd "$work" && { apt-get download prometheus || { as_root apt-get update && apt-get download prometheus; }; } &&
            dpkg-deb --fsys-tarfile prometheus_*.deb | tar -xf - ./usr/bin/promtool && usr/bin/promtool --version &&
            mkdir -p "$place" && mv usr/bin/promtool "$place/promtool"
    )
    done=$?
    rm -rf "$work"
    return $done
}

# try MESSAGE COMMAND...: runs the command, and shows the end of its output with the message if it fails.
try() {
    log=$(mktemp)
    message=$1
    shift
    "$@" >"$log" 2>&1 || { tail -3 "$log"; echo "$message"; }
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
                try "nginx cannot be installed here: the tests of replicas are skipped." install_nginx
            fi ;;
        object-store)
            if [ "$SAU_OBJECT_STORE" = none ]; then
                echo "SAU_OBJECT_STORE=none: moto is not installed, and the tests of s3:// URLs are skipped."
            elif [ -z "$SAU_OBJECT_STORE" ] && [ ! -f "$here/.cache/object-store/installed" ]; then
                echo "The tests of s3:// URLs need a local S3 server: installing moto into .cache/object-store (once)."
                try "moto cannot be installed here: the tests of s3:// URLs are skipped." \
                    install_environment object-store
            fi ;;
        promtool)
            if [ "$SAU_PROMTOOL" = none ]; then
                echo "SAU_PROMTOOL=none: promtool is not installed, and the tests of Prometheus' rules are skipped."
            elif ! command -v promtool >/dev/null && [ ! -x "$here/.cache/promtool/promtool" ]; then
                echo "The tests of Prometheus' rules need promtool: unpacking it into .cache/promtool (once, 50 MB)."
                try "promtool cannot be installed here: the tests of Prometheus' rules are skipped." install_promtool
            fi ;;
        datasets)
            if [ "$SAU_DATASETS" = none ]; then
                echo "SAU_DATASETS=none: the library datasets is not installed, and the test of its folders is skipped."
            elif [ -z "$SAU_DATASETS" ] && [ ! -f "$here/.cache/datasets/installed" ]; then
                echo "A test reads what the library datasets writes: installing it into .cache/datasets (once)."
                try "datasets cannot be installed here: the test of its folders is skipped." install_environment datasets
            fi ;;
        *) echo "Unknown: $wanted. Give nginx, object-store, promtool or datasets." ;;
    esac
done
exit 0
