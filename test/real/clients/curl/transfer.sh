# Part of day.sh: ways in which requests and answers travel.

# Some 80 KB, for which curl waits to hear that it may send them.
order '.products = [range(400) as $each | $product]' >"$work/order"
ask $ship --header 'Expect: 100-continue' --data-binary "@$work/order"
report 'large order' '"\(.products | length) products"'

printf '{"perPage":3}' | ask /api/invoice/list --header 'Transfer-Encoding: chunked' --data-binary @-
report 'chunked body' '"\(.data | length) rows"'

ask /api/invoice/list --request POST --header 'Content-Type: application/json'
report 'no body' '"\(.data | length) rows"'

# A body where none belongs: what comes next on the same connection must not be mistaken for a part of it.
connections=$(curl --silent --show-error --write-out '%{num_connects} ' --output "$answer" \
  --request GET --data '{"code":"FR"}' "$base/country/all?code=DE" \
  --next --silent --show-error --write-out '%{num_connects}' --output "$work/next" "$base/country/all?code=FR")
cat "$work/next" >>"$answer"
step 'kept connection' "$connections new, $(jq --raw-output --slurp 'map(.[0].code) | join(" ")' "$answer")"

ask /country/all --http1.0
report 'HTTP/1.0' '"\(length) rows"'
