# Part of day.sh: what is refused, and how.

wrong=$(order '.products[1].unitOfMeasure.code = "NONE" | .recipientAddress.city = ""')
of_shipment=$(violations $ship --data "$wrong")
of_filters=$(violations /api/invoice/list --data '{"dateAtBetween":{"startAt":"31.12.2025"}}')
of_import=$(violations /api/single/point/import --data '{"name":"curl","shipmentId":"GCCN-2"}')
of_login=$(violations /auth/application --data '{"clientId":"demo-client"}')
step violations "$of_shipment, $of_filters, $of_import, $of_login"

refused_in_both_languages 406 $ship --data "$(order '.carrierId = 99')"
step 'business error' 406

refused_in_both_languages 401 /auth/application --data '{"clientId":"demo-client","secretKey":"wrong"}'
step 'wrong credentials' 401

token_of_login=$token
token=nobody
refused 401 /api/currency
token=$token_of_login
step 'unknown token' "401, $(header WWW-Authenticate)"

refused 404 /api/no/such/thing
step 'unknown path' 404

refused 405 /api/invoice/list
step 'wrong method' "405, $(header Allow)"

refused 400 /api/invoice/list --data '{"page": 1,'
step 'malformed body' 400
