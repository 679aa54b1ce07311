-- The same translation as one writes it for nginx with lua-cjson.
local cjson = require "cjson"

local translate = {}
local FRESH = 300
local kept = {}

local function legacy_time(time)
  return string.sub(time, 1, 19) .. "+00:00"
end

local function legacy_country(country)
  return {
    id = country.id, code = country.code, name = country.name, phoneCode = country.phoneCode,
    isCarrierService = country.isCarrierService,
    taxType = country.tax.type, taxMaxValidPrice = country.tax.maxValidPrice,
    flagW20 = country.flags.w20, flagW40 = country.flags.w40,
  }
end

local function ask(path, options)
  return ngx.location.capture("/v1" .. path, options)
end

local function request_body()
  ngx.req.read_body()
  return cjson.decode(ngx.req.get_body_data())
end

local function read_list(path)
  local rows, page, page_count = {}, 1, 1
  while page <= page_count do
    local answer = cjson.decode(ask(path, { args = { page = page, perPage = 200 } }).body)
    for _, row in ipairs(answer.items) do rows[#rows + 1] = row end
    page, page_count = page + 1, answer.meta.pageCount
  end
  return rows
end

local function keep(name, make)
  local entry = kept[name]
  if entry == nil or entry.fresh_until < ngx.now() then
    entry = { value = make(), fresh_until = ngx.now() + FRESH }
    kept[name] = entry
  end
  return entry.value
end

local LEGACY_NAMES = {
  carrierShipmentId = "shipmentId", isPaid = "isPayment",
  dateFrom = "dateAtBetween.startAt", dateTo = "dateAtBetween.endAt",
}

local function legacy_path(path)
  return LEGACY_NAMES[path] or (string.gsub(path, "^(products%[%d+%]%.unitOfMeasure)Code$", "%1.code"))
end

local function say(answer, legacy)
  local body = cjson.decode(answer.body)
  ngx.header["Content-Type"] = "application/json"
  local said
  if answer.status == 422 then
    local violations = {}
    for index, problem in ipairs(body.errors) do
      violations[index] = { propertyPath = legacy_path(problem.path), message = problem.message }
    end
    ngx.status = 400
    said = { message = body.message, violations = violations }
  else
    said = legacy(body)
  end
  local json = cjson.encode(said)
  ngx.header["Content-Length"] = #json
  ngx.print(json)
end

function translate.invoices()
  local filters = request_body()
  local dates = filters.dateAtBetween or {}
  local answer = ask("/api/v1/finance/invoices", { method = ngx.HTTP_GET, args = {
    page = filters.page or 1, perPage = filters.perPage or 25, search = filters.search,
    isPaid = filters.isPayment ~= nil and tostring(filters.isPayment) or nil,
    statusId = filters.statusId, dateFrom = dates.startAt, dateTo = dates.endAt,
  } })
  say(answer, function(page)
    for _, row in ipairs(page.items) do
      row.organizationId = nil
      row.dateAt = legacy_time(row.dateAt)
      row.paymentExpirationAt = legacy_time(row.paymentExpirationAt)
      row.currency = { code = row.currencyCode }
      row.currencyCode = nil
    end
    local meta = page.meta
    local pagination = { count = meta.total, page = meta.page, perPage = meta.perPage, lastPage = meta.pageCount }
    return { data = page.items, pagination = pagination }
  end)
end

function translate.package()
  local request = request_body()
  request.organizationId, request.typeId = nil, nil
  for _, product in ipairs(request.products) do
    product.unitOfMeasureCode = product.unitOfMeasure.code
    product.unitOfMeasure = nil
  end
  local options = { method = ngx.HTTP_POST, body = cjson.encode(request) }
  say(ask("/api/v1/shipment/shipments/packages", options), function(created)
    local shipment = created.data
    local times = keep("currencies", function()
      local by_code = {}
      for _, row in ipairs(read_list("/api/v1/shared/currencies")) do
        by_code[row.code] = legacy_time(row.rates.updatedAt)
      end
      return by_code
    end)
    shipment.currency.updatedAt = times[shipment.currency.code] or cjson.null
    shipment.singlePointImport.shipmentId = shipment.singlePointImport.carrierShipmentId
    shipment.singlePointImport.carrierShipmentId = nil
    for _, name in ipairs({ "recipientAddress", "senderAddress", "billingAddress" }) do
      shipment[name].country = legacy_country(shipment[name].country)
    end
    shipment.createdAt = legacy_time(shipment.createdAt)
    shipment.updatedAt = legacy_time(shipment.updatedAt)
    shipment.orderData = cjson.null
    return shipment
  end)
end

function translate.import()
  local request = request_body()
  local body = cjson.encode({ name = request.name, carrierShipmentId = request.shipmentId })
  local options = { method = ngx.HTTP_POST, body = body }
  say(ask("/api/v1/shipment/single-point-imports", options), function(created) return created.data end)
end

function translate.countries()
  local json = keep("countries", function()
    local rows = read_list("/api/v1/public/shared/countries")
    for index, row in ipairs(rows) do rows[index] = legacy_country(row) end
    return cjson.encode(rows)
  end)
  ngx.header["Content-Type"] = "application/json"
  ngx.header["Content-Length"] = #json
  ngx.print(json)
end

return translate
