#!/bin/sh
# Has Assay test a URL, and lets a pipeline go on only if nothing stands in its way.
#
#   pipeline.sh URL
#
# Needs a POSIX shell and curl, and these in the environment:
#
#   ASSAY_URL         where the service is, such as https://assay.example.com
#   ASSAY_API_KEY     a key with the scope "ci", and
#   ASSAY_API_SECRET  its secret
#   ASSAY_SEVERITY    the least severity that stops the pipeline (default: medium)
#   ASSAY_EVENT       the slug of the event that this is part of (default: none)
#   ASSAY_TIMEOUT     how many seconds it may take, all in all (default: 600)
#   ASSAY_INTERVAL    how many seconds lie between two questions (default: 5)
#
# Ends with
#
#   0  the service said that the job was a success, and nothing else
#   1  the service said that it was none: findings, or a job that ended in ERROR or CANCELED
#   2  it could not be found out: wrong credentials, a URL that may not be tested, no answer, no more time

set -u

say() { printf 'assay: %s\n' "$*"; }
complain() { printf 'assay: %s\n' "$*" >&2; }
give_up() {
  complain "$*"
  exit 2
}
now() { date +%s; }

[ $# -eq 1 ] || give_up 'usage: pipeline.sh URL (the comment in its first lines says the rest)'
url=$1
event=${ASSAY_EVENT:-}
severity=${ASSAY_SEVERITY:-medium}
timeout=${ASSAY_TIMEOUT:-600}
interval=${ASSAY_INTERVAL:-5}
for name in ASSAY_URL ASSAY_API_KEY ASSAY_API_SECRET; do
  eval "value=\${$name:-}"
  [ -n "$value" ] || give_up "$name is not set"
done
command -v curl > /dev/null || give_up 'curl is not installed'

# Whole numbers without a zero in front, or the arithmetic below would be another.
for number in "$timeout" "$interval"; do
  case $number in
    '' | *[!0-9]* | 0?* | ???????*) give_up "ASSAY_TIMEOUT and ASSAY_INTERVAL are whole seconds, not $number" ;;
  esac
done
# What would end a quoted string is in none of them when they are right.
for text in "$url" "$event" "$severity" "$ASSAY_URL" "$ASSAY_API_KEY" "$ASSAY_API_SECRET"; do
  case $text in
    *\"* | *\\* | *[[:cntrl:]]*) give_up 'a quote, a backslash or a control character is in a URL, a key or a name' ;;
  esac
done
case $severity in
  none | info | low | medium | high | critical | cosmic) ;;
  *) give_up "ASSAY_SEVERITY is none, info, low, medium, high, critical or cosmic, not $severity" ;;
esac

base=${ASSAY_URL%/}/v1/jobs
deadline=$(($(now) + timeout))
# A launch that is sent again with the same key is the same launch.
nonce=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
[ ${#nonce} -eq 32 ] || give_up '/dev/urandom cannot be read'
folder=${TMPDIR:-/tmp}/assay-$nonce
mkdir -m 700 "$folder" || give_up "$folder cannot be made"
: > "$folder/error"

# In the background, so that a signal does not have to wait for a slow answer.
child=
patiently() {
  child=$!
  wait "$child"
  ended=$?
  child=
  return "$ended"
}

# once SECONDS METHOD PATH [BODY]: one request. $code is the status of its answer, 000 if there was none, and $body the
# answer with no quote but those around its texts. The credentials go by way of standard input, where no list of processes
# shows them.
once() {
  : > "$folder/body"
  {
    printf 'url = "%s%s"\nuser = "%s:%s"\nrequest = "%s"\n' "$base" "$3" "$ASSAY_API_KEY" "$ASSAY_API_SECRET" "$2"
    [ "$2" = GET ] || printf 'header = "Content-Type: application/json"\nheader = "Idempotency-Key: %s"\ndata-binary = "%s"\n' \
      "$nonce${3##*/}" "$(printf '%s' "${4:-}" | sed 's/"/\\"/g')"
  } | curl -q --config - --silent --show-error --globoff --proto '=http,https' --connect-timeout 10 --max-time "$1" \
    --output "$folder/body" --write-out '%{http_code}' > "$folder/code" 2> "$folder/error" &
  if patiently; then code=$(cat "$folder/code"); else code=000; fi
  body=$(tr -d '[:cntrl:]' < "$folder/body" | sed "s/\\\\\\\\/\\//g; s/\\\\\"/'/g")
}

# field NAME: the text of this field of the answer.
field() {
  printf '%s' "$body" | sed -n 's/.*"'"$1"'"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p'
}

# is NAME VALUE: whether the answer is an object that has this field, once, with this value, which is no text.
is() {
  compact=$(printf '%s' "$body" | tr -d '[:space:]')
  case $compact in *"\"$1\":"*"\"$1\":"*) return 1 ;; esac
  case $compact in "{"*"\"$1\":$2,"*"}" | "{"*"\"$1\":$2}") return 0 ;; *) return 1 ;; esac
}

# What the service said, or what curl did.
said() {
  if [ "$code" = 000 ]; then
    tr -d '[:cntrl:]' < "$folder/error"
  else
    reason=$(field description)
    printf 'the service answered %s%s' "$code" "${reason:+: $reason}"
  fi
}

# How far it came is in $last, what stood in the way in $trouble.
last= trouble=
out_of_time() {
  give_up "the time of $timeout seconds is over${last:+; the job is $last}${trouble:+; $trouble}"
}

pause() {
  sleep "$interval" &
  patiently
}

# ask METHOD PATH [BODY]: asks until there is an answer, as long as there is time. What may be otherwise a little later (the
# service away or too busy, the first of two equal requests under way) is asked again; everything else is an answer.
ask() {
  trouble=
  while :; do
    left=$((deadline - $(now)))
    [ "$left" -ge 1 ] || out_of_time
    # The service itself waits 20 seconds for a database that is away.
    [ "$left" -le 40 ] || left=40
    once "$left" "$@"
    case $code in
      000 | 409 | 429 | 5??) trouble=$(said) ;;
      *) return ;;
    esac
    complain "$trouble; trying again"
    pause
  done
}

# A job that nobody waits for any more need not go on. Of a launch that was cut off nobody knows: it is asked for again.
open= launching=
finish() {
  [ -z "$child" ] || kill "$child" 2> /dev/null
  if [ -n "$launching" ]; then
    once 10 POST /launch "$order"
    open=$(field uuid)
  fi
  if [ -n "$open" ]; then
    once 10 POST "/$open/cancel"
    if [ "$code" = 200 ]; then complain "job $open is canceled"; else complain "job $open goes on: $(said)"; fi
  fi
  rm -rf "$folder"
}
trap finish EXIT
trap 'trap "" HUP INT TERM; give_up "stopped from outside"' HUP INT TERM

code=000
order="{\"url\":\"$url\"${event:+,\"event_slug\":\"$event\"}}"

ask POST /check "$order"
[ "$code" = 200 ] || give_up "$url could not be checked: $(said)"
is valid true || give_up "$url may not be tested: $(field reason)"

launching=yes
ask POST /launch "$order"
launching=
[ "$code" = 201 ] || give_up "the job was not launched: $(said)"
uuid=$(field uuid)
case $uuid in *[!0-9a-f-]*) uuid= ;; esac
[ ${#uuid} -eq 36 ] || give_up 'the answer to the launch names no job'
open=$uuid
say "job $uuid tests $url"

while :; do
  ask GET "/$uuid/status"
  [ "$code" = 200 ] || give_up "the status of job $uuid could not be read: $(said)"
  status=$(field status)
  [ "$status" = "$last" ] || say "job $uuid is $status"
  last=$status
  case $status in
    PENDING | IN_PROGRESS) ;;
    FINISHED | ERROR | CANCELED) break ;;
    *) give_up "what was answered is no status of job $uuid" ;;
  esac
  pause
done
open=

# With fail=True what is no success is no 200 either.
ask GET "/$uuid/success?severity=$severity&fail=True"
case $code in
  200)
    is success true || give_up "what was answered is no success of job $uuid"
    say "$(field description)"
    exit 0
    ;;
  422)
    is success false || give_up "what was answered is no failure of job $uuid"
    complain "$(field description)"
    exit 1
    ;;
  *) give_up "the success of job $uuid could not be read: $(said)" ;;
esac
