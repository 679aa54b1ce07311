# Part of day.sh: invoices, page by page, and charges.

every_page /api/invoice/list '{"perPage":50}'
cp "$answer" "$work/invoices"
report invoices '"\(pages), \([.data[].priceTry] | add | money) TRY, " + (.data[0] |
  "the newest \(.number) in \(.currency.code), of \(.dateAt | legacy_time), due \(.paymentExpirationAt | legacy_time)")'

every_page /api/invoice/list '{"isPayment":true,"perPage":100}'
must 'isPayment finds paid invoices only' 'all(.data[]; .isPaid == true)'
paid=$(fact .pagination.count)
every_page /api/invoice/list '{"isPayment":false,"perPage":100}'
unpaid=$(fact .pagination.count)
[ $((paid + unpaid)) = "$(jq .pagination.count "$work/invoices")" ] || fail 'every invoice is paid or unpaid'
step 'invoices by payment' "$paid paid, $unpaid unpaid"

ask /api/invoice/list --data '{"statusId":4}'
must 'no invoice has status 4' '.data == []'
report 'invoices of status 4' pages

every_page /api/invoice/list '{"dateAtBetween":{"startAt":"2025-03-01","endAt":"2025-05-31T10:00:00+00:00"}}'
must 'all are of spring' 'all(.data[].dateAt; legacy_time and test("^2025-0[345]-"))'
report 'invoices by date' '"\(.data | length) of spring 2025"'

every_page /api/invoice/list '{"perPage":300}'
jq .data "$work/invoices" >"$work/expected"
jq .data "$answer" | cmp -s - "$work/expected" || fail 'larger pages do not hold the same invoices'
report 'invoices on large pages' pages

every_page /api/transaction/charge/list '{"perPage":20}'
must 'a charge is ready' 'any(.data[]; .billingStatus.slug == "READY")'
report charges '"\(pages), sum \([.data[].amount] | add | money), " +
  (.data[0] | "the newest \(.transaction.trackingNumber), of \(.createdAt | legacy_time)")'
