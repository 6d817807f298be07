#!/bin/sh
# Chromium (Debian's package) and axe-core (npm's, into .cache/) for the tests of the page, where they are missing.
# Never fails: what cannot be had is said, and the tests that need it are skipped with a reason.
AXE=axe-core@4.14.0
here=$(cd "$(dirname "$0")/.." && pwd)

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

has_browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

if ! has_browser >/dev/null; then
    echo "Installing Chromium for the tests of the page (once)"
    export DEBIAN_FRONTEND=noninteractive
    {
        as_root apt-get install -y --no-install-recommends chromium ||
            { as_root apt-get update && as_root apt-get install -y --no-install-recommends chromium; }
    } >/dev/null 2>&1
    has_browser >/dev/null || echo "No Chromium, and it cannot be installed here: the tests of the page are skipped."
fi

if [ ! -f "$here/.cache/axe-core/package/axe.min.js" ]; then
    mkdir -p "$here/.cache/axe-core"
    (cd "$here/.cache/axe-core" && npm pack --silent "$AXE" && tar xzf axe-core-*.tgz) >/dev/null 2>&1 ||
        echo "npm does not give $AXE here: the tests that need it are skipped."
fi
exit 0
