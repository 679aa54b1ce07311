# Part of day.sh: the reference lists.

# whole_list NAME PATH FILTER: every row has what the filter asks for.
whole_list() {
  ask "$2"
  must "$1 are an array" 'type == "array" and length > 0'
  must "all $1 are whole" "all(.[]; $3)"
  report "$1" '"\(length) rows, the first \(.[0].id), the last \(.[-1].id)"'
}

whole_list countries '/country/all?sortBy=code&sortOrder=ASC' '.flagW40 | test("^https:")'
whole_list cities '/city/all?countryCode=TR' '.countryCode == "TR"'
whole_list counties '/county/all?cityId=34&sortBy=' '.cityId == 34'
whole_list currencies '/api/currency?sortBy=sellingRateTry&sortOrder=desc' \
  '(.rate.sellingRateTry | type == "number") and (.updatedAt | legacy_time)'
whole_list units /api/unit/of/measure/all '.code | test(".")'
whole_list 'export codes' /api/export/code '.name | test(".")'

ask '/country/all?code=DE'
turkish=$(fact '.[0].name')
ask '/country/all?code=DE' --header 'Accept-Language: en-US,en;q=0.5'
report languages "\"$turkish, \\(.[0].name)\""
