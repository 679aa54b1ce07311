# What day.sh is made of.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
answer=$work/answer

# step NAME FACT: one line on what a step found: ids, counts and sums, the same whoever serves the legacy interface.
step() {
  printf '%s: %s\n' "$1" "$2"
}

# report NAME FILTER: the step's fact is what jq finds in the answer, where nothing of it may be missing.
report() {
  found=$(fact "$2") || exit 1
  case $found in *null*) fail "$1 lacks something: $found" ;; esac
  step "$1" "$found"
}

# fail SENTENCE: ends the day.
fail() {
  printf 'not as promised, after the steps that are printed: %s\n' "$1" >&2
  exit 1
}

# call PATH [OPTION…]: curl as most calls use it. There is a token as soon as the program has logged in.
token=
call() {
  url=$base$1
  shift
  set -- ${token:+--header "Authorization: Bearer $token"} "$@"
  curl --silent --show-error --compressed --max-time 30 "$@" "$url"
}

# ask PATH [OPTION…]: the answer is in $answer; any status but 200 ends the day.
ask() {
  : >"$answer"
  status=$(call "$@" --fail-with-body --output "$answer" --write-out '%{http_code}') || fail "$1: $(cat "$answer")"
  [ "$status" = 200 ] || fail "$1: $status instead of 200: $(cat "$answer")"
}

# acknowledged PATH [OPTION…]: a 204 without a body.
acknowledged() {
  found=$(call "$@" --write-out '%{http_code} %{size_download}')
  [ "$found" = '204 0' ] || fail "$1: $found instead of a 204 without a body"
}

# refused STATUS PATH [OPTION…]: an error with this status is in $answer, and its headers are in $work/headers.
refused() {
  expected=$1
  shift
  : >"$answer"
  set -- "$@" --fail-with-body --output "$answer" --dump-header "$work/headers" --write-out '%{http_code}'
  status=$(call "$@" 2>"$work/complaint") && fail "$1: not refused"
  [ "$status" = "$expected" ] || fail "$1: $status instead of $expected: $(cat "$work/complaint" "$answer")"
  must 'an error has a message, and violations if it is a 400' \
    "(.message | type == \"string\" and test(\"\\\\S\")) and has(\"violations\") == ($expected == 400)"
}

# refused_in_both_languages STATUS PATH [OPTION…]: as above, and the message follows the language.
refused_in_both_languages() {
  refused "$@" --header 'Accept-Language: tr-TR,tr;q=0.9'
  turkish=$(fact .message)
  refused "$@" --header 'Accept-Language: en-GB,en;q=0.9'
  [ "$turkish" != "$(fact .message)" ] || fail "$2: the message does not follow the language"
}

# violations PATH [OPTION…]: prints the legacy paths of what is wrong, in alphabetical order.
violations() {
  refused 400 "$@"
  must 'a violation says what is wrong' 'all(.violations[]; .message | test("\\S"))'
  fact '[.violations[].propertyPath] | sort | join(" ")'
}

# header NAME: prints that header of the last refusal.
header() {
  grep -i "^$1:" "$work/headers" | cut -d ' ' -f 2- | tr -d '\r'
}

definitions='
  def legacy_time: if test("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$") then .[:19] + "Z" | fromdate
    else error(. + " is no legacy timestamp") end;
  def money: . * 100 | round / 100;
  def pages: "\(.pagination.count) on \(.pagination.lastPage) pages";
'

# fact FILTER: prints what jq finds in the answer.
fact() {
  jq --raw-output "$definitions $1" "$answer" || fail "$1 of $(head -c 500 "$answer")"
}

# must SENTENCE FILTER: ends the day unless it holds of the answer.
must() {
  jq --exit-status "$definitions $2" "$answer" >"$work/found" ||
    fail "$1: $(cat "$work/found") of $(head -c 500 "$answer")"
}

# every_page PATH FILTERS: all rows of a list that is answered in pages, and what `pagination` counted, are in $answer.
every_page() {
  page=0
  last=1
  : >"$work/pages"
  while [ "$page" -lt "$last" ]; do
    page=$((page + 1))
    ask "$1" --data "{\"page\":$page,${2#?}"
    last=$(fact "if .pagination.page == $page then .pagination.lastPage else error(\"not page $page\") end") || exit 1
    cat "$answer" >>"$work/pages"
  done
  jq --slurp '{data: map(.data) | add, pagination: .[0].pagination}' "$work/pages" >"$answer"
  must 'as many rows come as are counted, and none twice' \
    '(.data | length) == .pagination.count and (.data | map(.id) | unique | length) == (.data | length)'
}
