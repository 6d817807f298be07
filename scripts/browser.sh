#!/bin/sh
# Installs Chromium (apt) and axe-core (npm, into .cache/) for the tests of the page, if they are missing.
# Always exits with 0: tests that need something that cannot be installed are skipped with a reason.
AXE=axe-core@4.14.0
here=$(cd "$(dirname "$0")/.." && pwd)

if [ "$SAU_BROWSER" = none ]; then
    echo "SAU_BROWSER=none: no browser is installed, and the tests of the page are skipped."
    exit 0
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

has_browser() {
    [ -n "$SAU_BROWSER" ] || command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome
}

install_package() {
    as_root apt-get install -y --no-install-recommends "$1"
}

# Debian's Chromium without windows is smaller and faster; not every release has it.
install_browser() {
    export DEBIAN_FRONTEND=noninteractive
    install_package chromium-headless-shell || { as_root apt-get update && install_package chromium-headless-shell; } ||
        install_package chromium
}

if ! has_browser >/dev/null; then
    if command -v apt-get >/dev/null; then
        echo "The tests of the page need Chromium: installing the system package 'chromium-headless-shell' (or 'chromium') with apt-get (about 250 MB, once)."
        echo "To do without it, press Ctrl+C and run: make test SAU_BROWSER=none (skips these tests)"
        echo "or: make test SAU_BROWSER=/path/to/chrome (uses another browser)."
        log=$(mktemp)
        install_browser >"$log" 2>&1 || tail -3 "$log"
        rm -f "$log"
    fi
    has_browser >/dev/null ||
        echo "Chromium is not installed and apt-get cannot install it here: the tests of the page are skipped."
fi

if [ ! -f "$here/.cache/axe-core/package/axe.min.js" ]; then
    echo "Fetching $AXE with npm into .cache/ for the accessibility tests (once)."
    mkdir -p "$here/.cache/axe-core"
    (cd "$here/.cache/axe-core" && npm pack --silent "$AXE" && tar xzf axe-core-*.tgz) >/dev/null 2>&1 ||
        echo "npm cannot fetch $AXE here: the accessibility tests are skipped."
fi
exit 0
