#!/bin/sh
# Installs the IMAP server the tests talk to (Dovecot), where that is possible. Never fails: without it the tests
# use a smaller server and say so. The server is not started; each test run starts one of its own on loopback.
set -u

if PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v dovecot >/dev/null 2>&1; then
  exit 0
fi

without() {
  echo "warning: Dovecot is missing ($1); the mailbox is tested on pymap instead." >&2
  echo "         To test on it: apt-get install dovecot-imapd dovecot-lmtpd" >&2
  exit 0
}

[ "$(id -u)" -eq 0 ] || without "only root can install it"
command -v apt-get >/dev/null 2>&1 || without "there is no apt-get here"

# A mail server that nobody asked for must not start to listen on this machine.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT INT TERM
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || without "$policy cannot be written"
fi

log=$(mktemp) || without "no temporary file can be made"
install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 \
    dovecot-imapd dovecot-lmtpd >>"$log" 2>&1
}

echo "==> servers: installing Dovecot for the tests (once)"
install || { apt-get update -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 >>"$log" 2>&1 && install; } || {
  tail -n 5 "$log" >&2
  rm -f "$log"
  without "it could not be installed"
}
rm -f "$log"
