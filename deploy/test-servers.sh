#!/bin/sh
# Installs what the tests use besides Python, where that is possible: an IMAP server (Dovecot) and a browser to look at
# mails (Chromium). Never fails: without them the tests do with less and say so. Nothing is started; each test run
# starts a server of its own on loopback.
set -u
PATH="$PATH:/usr/sbin:/usr/local/sbin"

wanted='' packages=''
command -v dovecot >/dev/null 2>&1 || { wanted="Dovecot" packages="dovecot-imapd dovecot-lmtpd"; }
command -v chromium >/dev/null 2>&1 || { wanted="$wanted Chromium" packages="$packages chromium"; }
[ -n "$packages" ] || exit 0

without() {
  echo "warning: missing for the tests ($1):" $wanted >&2
  echo "         Without Dovecot the mailbox is tested on pymap; without Chromium no mail is looked at." >&2
  echo "         To have them: apt-get install" $packages >&2
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
    $packages >>"$log" 2>&1
}

echo "==> servers: installing for the tests (once):" $wanted
install || { apt-get update -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 >>"$log" 2>&1 && install; } || {
  tail -n 5 "$log" >&2
  rm -f "$log"
  without "it could not be installed"
}
rm -f "$log"
