# Part of day.sh: destinations, prices, shipments and imports.

acknowledged /api/calculate/price/country/validate --data '{"countryId":57,"zipCode":"50667"}'
step destination 204

rows='[
  {"id":"a","length":30,"size":20,"height":10,"weight":2.5,"piece":2},
  {"id":"b","length":200,"size":20,"height":10,"weight":40,"piece":1},
  {"id":"c","length":10,"size":10,"height":10,"weight":0.5,"piece":1}
]'
ask /api/calculate/price --data "{\"countryId\":57,\"city\":null,\"packages\":$rows}"
must 'quotes are an array' 'type == "array" and length > 0'
must 'packages come back under their own ids' 'all(.[]; [.packages[].id] == ["a", "b", "c"])'
must 'packages come back with their pieces' 'all(.[]; [.packages[].piece] == [2, 1, 1])'
must 'a quote adds up' 'all(.[]; (.totalPrice | money) == ([
  .freightPrice, .fuelSurcharges, .peakPrice, .remoteAreaPrice, .packages[].additionalFees[].value] | add | money))'
report price 'sort_by(.totalPrice) | "\(length) quotes, \(.[0].carrier.slug) for \(.[0].totalPrice), fees " +
  ([.[0].packages[].additionalFees[].type] | join(" "))'

recipient='{
  "countryId":57,"firstName":"Deneme","lastName":"Alıcı","email":"alici@ornek.example","phone":"+4900000000",
  "zipCode":"50667","state":"NRW","city":"Köln","address1":"Musterweg 1"
}'
product='{
  "hsCode":"610910","description":"Tişört \"M\"","piece":3,"unitPrice":12.5,
  "unitOfMeasure":{"code":"C62","name":"Adet"},"originCountryCode":"TR"
}'
# order FILTER: prints an order, changed by jq.
order() {
  jq --null-input --compact-output --argjson rows "$rows" --argjson recipient "$recipient" --argjson product "$product" '{
    recipientAddress: $recipient, packages: $rows[:2], description: "Tekstil", carrierId: 1, currencyId: 146,
    exportCodeId: 1, products: [$product, ($product | .unitOfMeasure.code = "KGM")], referenceNumbers: ["PO-1"]
  } | '"$1"
}
ship=/api/consignment/package/advance

ask $ship --header 'Content-Type: application/json' --data "$(order .)"
must 'an address comes back letter by letter' '.recipientAddress.city == "Köln"'
must 'a product comes back letter by letter' '.products[1].description == "Tişört \"M\""'
must 'a country has a flag' '.recipientAddress.country.flagW20 | test("de.png")'
must 'a currency is of some time, if that is known' '.currency.updatedAt | . == null or legacy_time'
must 'a country has a tax type' '.recipientAddress.country.taxType | type == "string"'
report package '"shipment \(.id) \(.trackingNumber), \(.packages | length) packages, " +
  "units \([.products[].unitOfMeasure.code] | join(" ")), created \(.createdAt | legacy_time), in \(.currency.code)"'

document="{\"recipientAddress\":$recipient,\"referenceNumbers\":[\"PO-2\"],\"isRecipientCompany\":false}"
ask /api/consignment/document --data "$document"
must 'a document is a document' '.type.slug == "DOCUMENT"'
must 'a document has a freightPrice, if only null' 'has("freightPrice")'
report document '"shipment \(.id) \(.trackingNumber), \(.packages | length) package, " +
  "\(.carrier.slug) to \(.recipientAddress.country.name), created \(.createdAt | legacy_time)"'

ask /api/single/point/import --data '{"name":"curl","shipmentId":"GCCN-1"}'
must 'an import is what was sent' '.name == "curl" and .shipmentId == "GCCN-1"'
import=$(fact .id)
step import "import $import"

ask $ship --data "$(order ".singlePointImportId = $import")"
must 'a shipment names its import' '.singlePointImport.shipmentId == "GCCN-1"'
report 'import used' '"shipment \(.id) of import \(.singlePointImport.id)"'

acknowledged /api/single/point/import/complete --data "{\"id\":$import}"
step 'import completed' 204

refused 406 /api/single/point/import/complete --data "{\"id\":$import}"
refused_in_both_languages 406 $ship --data "$(order ".singlePointImportId = $import")"
step 'import refused' 406
