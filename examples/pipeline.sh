#!/bin/sh
# Launches an Assay job for a URL. Exits with 0 only if the job succeeds, so that a pipeline can continue.
#
#   pipeline.sh URL
#
# Needs a POSIX shell, curl and these environment variables:
#
#   ASSAY_URL         the address of the service, such as https://assay.example.com
#   ASSAY_API_KEY     an API key with the scope "ci"
#   ASSAY_API_SECRET  the secret of the API key
#   ASSAY_SEVERITY    the lowest severity that fails the pipeline (default: medium)
#   ASSAY_EVENT       the slug of the event of the job (default: none)
#   ASSAY_BEACON      the id of the beacon that the URL is behind (default: none)
#   ASSAY_CHECKS      ids of checks and tags of loaded templates, separated by spaces (default: all built-in checks)
#   ASSAY_DEPTH       "active" to send experiments that try to inject, where an admin allows them (default: standard)
#   ASSAY_INCOMPLETE  "allow" to continue although checks could not be completed (default: fail)
#   ASSAY_FAIL_ON     "new" to fail only for what the reference did not have (default: all)
#   ASSAY_REFERENCE   the reference to compare with, also of another asset as 12/main (default: main)
#   ASSAY_RECORD      the reference to record the job as; an admin must have named the key for it (default: none)
#   ASSAY_REPORTS     the reports to write to the current folder: json, sarif, gitlab, junit, csv, separated by spaces (default: none)
#   ASSAY_TIMEOUT     the maximum total time in seconds (default: 600)
#   ASSAY_INTERVAL    the time between two polls in seconds (default: 5)
#
# Exit codes:
#
#   0  the job succeeded
#   1  the job failed: it has findings, or ended in ERROR or CANCELED
#   2  inconclusive: wrong credentials, a URL that may not be tested, no valid response, or a timeout

set -u

# Runners take "##[command]" and "##vso[command]" anywhere in a log for their own, and titles are what targets and people wrote.
info() { printf 'assay: %s\n' "$*" | sed 's/##*/#/g'; }
warn() { info "$@" >&2; }
fail() {
  warn "$*"
  exit 2
}
now() { date +%s; }

[ $# -eq 1 ] || fail 'usage: pipeline.sh URL (see the comment at the top of the script)'
url=$1
event=${ASSAY_EVENT:-}
beacon=${ASSAY_BEACON:-}
checks=${ASSAY_CHECKS:-}
severity=${ASSAY_SEVERITY:-medium}
depth=${ASSAY_DEPTH:-}
incomplete=${ASSAY_INCOMPLETE:-}
fail_on=${ASSAY_FAIL_ON:-all}
reference=${ASSAY_REFERENCE:-main}
record=${ASSAY_RECORD:-}
reports=${ASSAY_REPORTS:-}
timeout=${ASSAY_TIMEOUT:-600}
interval=${ASSAY_INTERVAL:-5}
for name in ASSAY_URL ASSAY_API_KEY ASSAY_API_SECRET; do
  eval "value=\${$name:-}"
  [ -n "$value" ] || fail "$name is not set"
done
command -v curl > /dev/null || fail 'curl is not installed'

# Whole numbers without a leading zero, which the shell would read as octal.
for number in "$timeout" "$interval"; do
  case $number in
    '' | *[!0-9]* | 0?* | ???????*) fail "ASSAY_TIMEOUT and ASSAY_INTERVAL must be whole seconds, not $number" ;;
  esac
done
case $beacon in
  *[!0-9]* | 0*) fail "ASSAY_BEACON must be the id of a beacon, not $beacon" ;;
esac
# Valid values contain no characters that would end a quoted string below.
for text in "$url" "$event" "$checks" "$severity" "$ASSAY_URL" "$ASSAY_API_KEY" "$ASSAY_API_SECRET"; do
  case $text in
    *\"* | *\\* | *[[:cntrl:]]*) fail 'a URL, key or name contains a quote, a backslash or a control character' ;;
  esac
done
case $depth in
  '' | standard | active) ;;
  *) fail "ASSAY_DEPTH must be standard or active, not $depth" ;;
esac
case $incomplete in
  '' | allow) ;;
  *) fail "ASSAY_INCOMPLETE must be allow or empty, not $incomplete" ;;
esac
case $fail_on in
  all) query= ;;
  new) query="&fail_on=new&reference=$reference" ;;
  *) fail "ASSAY_FAIL_ON must be all or new, not $fail_on" ;;
esac
case $reference$record in
  *[!A-Za-z0-9._/-]*) fail 'ASSAY_REFERENCE and ASSAY_RECORD must be names of references, such as main' ;;
esac
case $severity in
  none | info | low | medium | high | critical | cosmic) ;;
  *) fail "ASSAY_SEVERITY must be none, info, low, medium, high, critical or cosmic, not $severity" ;;
esac


# file_of FORMAT: the name of the file of a report, as GitLab and others expect it.
file_of() {
  case $1 in
    json | sarif | csv) echo "assay.$1" ;;
    gitlab) echo gl-dast-report.json ;;
    junit) echo assay-junit.xml ;;
    *) return 1 ;;
  esac
}
for format in $reports; do
  file_of "$format" > /dev/null || fail "ASSAY_REPORTS must be json, sarif, gitlab, junit or csv, separated by spaces, not $format"
done

base=${ASSAY_URL%/}/v1/jobs
deadline=$(($(now) + timeout))
# The Idempotency-Key: a repeated launch does not launch a second job.
nonce=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
[ ${#nonce} -eq 32 ] || fail 'cannot read /dev/urandom'
folder=${TMPDIR:-/tmp}/assay-$nonce
mkdir -m 700 "$folder" || fail "cannot create $folder"
: > "$folder/error"

# Waits for a background process, so that signals are handled during a slow response.
child=
wait_for_child() {
  child=$!
  wait "$child"
  exit_code=$?
  child=
  return "$exit_code"
}

# send_once SECONDS METHOD PATH [BODY]: sends one request. Sets $code to the status, or 000 without a response, and $body to the
# response with escaped quotes replaced. curl reads the credentials from standard input, so that no process list shows them.
send_once() {
  : > "$folder/body"
  {
    printf 'url = "%s%s"\nuser = "%s:%s"\nrequest = "%s"\n' "$base" "$3" "$ASSAY_API_KEY" "$ASSAY_API_SECRET" "$2"
    [ "$2" = GET ] || printf 'header = "Content-Type: application/json"\nheader = "Idempotency-Key: %s"\ndata-binary = "%s"\n' \
      "$nonce${3##*/}" "$(printf '%s' "${4:-}" | sed 's/"/\\"/g')"
  } | curl -q --config - --silent --show-error --globoff --proto '=http,https' --connect-timeout 10 --max-time "$1" \
    --output "$folder/body" --write-out '%{http_code}' > "$folder/code" 2> "$folder/error" &
  if wait_for_child; then code=$(cat "$folder/code"); else code=000; fi
  body=$(tr -d '[:cntrl:]' < "$folder/body" | sed "s/\\\\\\\\/\\//g; s/\\\\\"/'/g")
}

# field NAME: prints the string value of this field of the response.
field() {
  printf '%s' "$body" | sed -n 's/.*"'"$1"'"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p'
}

# is NAME VALUE: whether the response is an object that has this field exactly once, with this value (not a string).
is() {
  compact=$(printf '%s' "$body" | tr -d '[:space:]')
  case $compact in *"\"$1\":"*"\"$1\":"*) return 1 ;; esac
  case $compact in "{"*"\"$1\":$2,"*"}" | "{"*"\"$1\":$2}") return 0 ;; *) return 1 ;; esac
}

# print_findings: prints each finding of the response on lines of its own, and the command that repeats their tests.
print_findings() {
  total=$(printf '%s' "$body" | sed -n 's/.*"failing":\([0-9]*\).*/\1/p')
  list=$(printf '%s' "$body" | sed -n 's/.*"failing_findings":\[{\(.*\)}\][^]]*$/\1/p' | sed 's/},{"id":/\
"id":/g')
  count=0 repeated=
  while IFS= read -r body; do
    [ -n "$body" ] || continue
    count=$((count + 1))
    place=$(field place)
    warn "$(field severity): $(field title)${place:+, at $place}: $(field url)"
    check=$(field check)
    # The line is for a shell, so nothing but ids goes into it.
    case $check in '' | *[!A-Za-z0-9:._-]*) continue ;; esac
    case " $repeated " in *" $check "*) ;; *) repeated="$repeated${repeated:+ }$check" ;; esac
  done << EOF
$list
EOF
  [ "${total:-0}" -le "$count" ] || warn "and $((total - count)) more"
  [ -z "$repeated" ] || warn "to repeat these tests alone: ASSAY_CHECKS='$repeated' $0 '$url'"
}

# Prints the error of the service, or of curl.
error_message() {
  if [ "$code" = 000 ]; then
    tr -d '[:cntrl:]' < "$folder/error"
  else
    reason=$(field description)
    printf 'the service returned %s%s' "$code" "${reason:+: $reason}"
  fi
}

# $last is the last status of the job, $problem the last error.
last= problem=
out_of_time() {
  fail "timeout after $timeout seconds${last:+; the job is $last}${problem:+; $problem}"
}

pause() {
  sleep "$interval" &
  wait_for_child
}

# send METHOD PATH [BODY]: sends a request until it gets a final response or the time is over. Retries if the service is
# unavailable or busy, or still processes the first of two equal requests.
send() {
  problem=
  while :; do
    remaining=$((deadline - $(now)))
    [ "$remaining" -ge 1 ] || out_of_time
    # The service waits up to 20 seconds for an unavailable database.
    [ "$remaining" -le 40 ] || remaining=40
    send_once "$remaining" "$@"
    case $code in
      000 | 409 | 429 | 5??) problem=$(error_message) ;;
      *) return ;;
    esac
    warn "$problem; trying again"
    pause
  done
}

# Cancels an unfinished job. If a launch was interrupted, it is sent again to get the id of the job.
unfinished_job= launching=
clean_up() {
  [ -z "$child" ] || kill "$child" 2> /dev/null
  if [ -n "$launching" ]; then
    send_once 10 POST /launch "$request_body"
    unfinished_job=$(field uuid)
  fi
  if [ -n "$unfinished_job" ]; then
    send_once 10 POST "/$unfinished_job/cancel"
    if [ "$code" = 200 ]; then warn "job $unfinished_job is canceled"; else warn "job $unfinished_job is not canceled: $(error_message)"; fi
  fi
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'trap "" HUP INT TERM; fail "stopped by a signal"' HUP INT TERM

code=000
entries=
for entry in $checks; do entries="$entries${entries:+,}\"$entry\""; done
request_body="{\"url\":\"$url\"${event:+,\"event_slug\":\"$event\"}${beacon:+,\"beacon_id\":$beacon}${depth:+,\"depth\":\"$depth\"}${entries:+,\"checks\":[$entries]}}"

send POST /check "$request_body"
[ "$code" = 200 ] || fail "cannot check $url: $(error_message)"
is valid true || fail "$url may not be tested: $(field reason)"

launching=yes
send POST /launch "$request_body"
launching=
[ "$code" = 201 ] || fail "the job was not launched: $(error_message)"
uuid=$(field uuid)
case $uuid in *[!0-9a-f-]*) uuid= ;; esac
[ ${#uuid} -eq 36 ] || fail 'the response to the launch has no job id'
unfinished_job=$uuid
info "job $uuid tests $url"

while :; do
  send GET "/$uuid/status"
  [ "$code" = 200 ] || fail "cannot read the status of job $uuid: $(error_message)"
  status=$(field status)
  [ "$status" = "$last" ] || info "job $uuid is $status"
  last=$status
  case $status in
    PENDING | IN_PROGRESS) ;;
    FINISHED | ERROR | CANCELED) break ;;
    *) fail "the response is not a status of job $uuid" ;;
  esac
  pause
done
unfinished_job=

# Before the result, so that a pipeline that fails has its reports. A job that did not finish has none.
if [ "$status" = FINISHED ]; then
  for format in $reports; do
    send GET "/$uuid/report?format=$format&severity=$severity"
    [ "$code" = 200 ] || fail "cannot read the $format report of job $uuid: $(error_message)"
    file=$(file_of "$format")
    cp "$folder/body" "$file" || fail "cannot write $file"
    info "wrote $file"
  done
fi

if [ "$status" = FINISHED ] && [ -n "$record" ]; then
  send POST "/$uuid/reference" "{\"reference\":\"$record\"}"
  [ "$code" = 200 ] || fail "the job was not recorded as $record: $(error_message)"
  info "$(field description)"
fi

# With fail=True a failed job is a 422 instead of a 200.
send GET "/$uuid/success?severity=$severity&fail=True${incomplete:+&incomplete=$incomplete}$query"
case $code in
  200)
    is success true || fail "the response is not a success of job $uuid"
    info "$(field description)"
    exit 0
    ;;
  422)
    is success false || fail "the response is not a failure of job $uuid"
    warn "$(field description)"
    # The job has failed, whatever the service answers now.
    send_once 20 GET "/$uuid/success?severity=$severity${incomplete:+&incomplete=$incomplete}$query"
    [ "$code" != 200 ] || print_findings
    exit 1
    ;;
  *) fail "cannot read the success of job $uuid: $(error_message)" ;;
esac
