#!/bin/sh
# A day of a legacy program in shell with curl and jq: sh day.sh LEGACY_BASE_URL
# It prints a line for each step, and ends with exit code 1 at the first answer that legacy does not promise.
set -eu

here=$(dirname "$0")
base=${1:?usage: sh day.sh LEGACY_BASE_URL}
. "$here/support.sh"

credentials='{"clientId":"demo-client","secretKey":"demo-secret"}'
ask /auth/application --data "$credentials"
token=$(fact '.token | strings')
[ -n "$token" ] || fail 'a login answers a token'
step login 'a token'

. "$here/shipping.sh"
. "$here/finance.sh"
. "$here/lists.sh"
. "$here/refusals.sh"
. "$here/transfer.sh"
