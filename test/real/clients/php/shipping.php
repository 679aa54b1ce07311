<?php

// Part of day.php: destinations, prices, shipments and imports.

declare(strict_types=1);

$germany = ['countryId' => 57, 'zipCode' => '50667'];
$answer = $client->post('api/calculate/price/country/validate', ['json' => $germany]);
must($answer->getStatusCode() === 204 && (string) $answer->getBody() === '', 'a destination is a 204 without a body');
step('destination', '204');

$rows = [
    ['id' => 'a', 'length' => 30, 'size' => 20, 'height' => 10, 'weight' => 2.5, 'piece' => 2],
    ['id' => 'b', 'length' => 200, 'size' => 20, 'height' => 10, 'weight' => 40, 'piece' => 1],
    ['id' => 'c', 'length' => 10, 'size' => 10, 'height' => 10, 'weight' => 0.5, 'piece' => 1],
];
$wanted = ['countryId' => 57, 'city' => null, 'packages' => $rows];
$quotes = json($client->post('api/calculate/price', ['json' => $wanted]));
must(array_is_list($quotes) && $quotes !== [], 'quotes are an array');
foreach ($quotes as $quote) {
    must(array_column($quote['packages'], 'id') === ['a', 'b', 'c'], 'packages come back under their own ids');
    must(array_column($quote['packages'], 'piece') === [2, 1, 1], 'packages come back with their pieces');
    $fees = array_merge(...array_column($quote['packages'], 'additionalFees'));
    $sum = $quote['freightPrice'] + $quote['fuelSurcharges'] + $quote['peakPrice'] + $quote['remoteAreaPrice'];
    must(money($sum + array_sum(array_column($fees, 'value'))) === money($quote['totalPrice']), 'a quote adds up');
}
usort($quotes, fn (array $one, array $other): int => $one['totalPrice'] <=> $other['totalPrice']);
step(
    'price',
    count($quotes) . ' quotes',
    $quotes[0]['carrier']['slug'] . ' for ' . money($quotes[0]['totalPrice']),
    'fees ' . implode(' ', array_column($fees, 'type')),
);

$recipient = [
    'countryId' => 57, 'firstName' => 'Deneme', 'lastName' => 'Alıcı', 'email' => 'alici@ornek.example',
    'phone' => '+4900000000', 'zipCode' => '50667', 'state' => 'NRW', 'city' => 'Köln', 'address1' => 'Musterweg 1',
];
$product = fn (string $unit): array => [
    'hsCode' => '610910', 'description' => 'Tişört "M"', 'piece' => 3, 'unitPrice' => 12.5,
    'unitOfMeasure' => ['code' => $unit, 'name' => 'Adet'], 'originCountryCode' => 'TR',
];
$order = [
    'recipientAddress' => $recipient, 'packages' => array_slice($rows, 0, 2), 'description' => 'Tekstil',
    'carrierId' => 1, 'currencyId' => 146, 'exportCodeId' => 1, 'products' => [$product('C62'), $product('KGM')],
    'referenceNumbers' => ['PO-1'],
];
$ship = fn (array $order, array $options = []): array =>
    json($client->post('api/consignment/package/advance', ['json' => $order] + $options));

$shipment = $ship($order);
must($shipment['recipientAddress']['city'] === 'Köln', 'an address comes back letter by letter');
must($shipment['products'][1]['description'] === 'Tişört "M"', 'a product comes back letter by letter');
must(str_contains($shipment['recipientAddress']['country']['flagW20'], 'de.png'), 'a country has a flag');
must(is_string($shipment['recipientAddress']['country']['taxType']), 'a country has a tax type');
$ratesTime = $shipment['currency']['updatedAt'];
must($ratesTime === null || legacyTime($ratesTime) < new DateTime(), 'a currency is of some time, if that is known');
step(
    'package',
    "shipment {$shipment['id']} {$shipment['trackingNumber']}",
    count($shipment['packages']) . ' packages',
    'units ' . implode(' ', array_column(array_column($shipment['products'], 'unitOfMeasure'), 'code')),
    'created ' . legacyTime($shipment['createdAt'])->format('U'),
    "in {$shipment['currency']['code']}",
);

$document = json($client->post('api/consignment/document', ['json' => [
    'recipientAddress' => $recipient, 'referenceNumbers' => ['PO-2'], 'isRecipientCompany' => false,
]]));
must($document['type']['slug'] === 'DOCUMENT', 'a document is a document');
must(array_key_exists('freightPrice', $document), 'a document has a freightPrice, if only null');
step(
    'document',
    "shipment {$document['id']} {$document['trackingNumber']}",
    count($document['packages']) . ' package',
    "{$document['carrier']['slug']} to {$document['recipientAddress']['country']['name']}",
    'created ' . legacyTime($document['createdAt'])->format('U'),
);

$import = json($client->post('api/single/point/import', ['json' => ['name' => 'PHP', 'shipmentId' => 'GCCN-1']]));
must($import['name'] === 'PHP' && $import['shipmentId'] === 'GCCN-1', 'an import is what was sent');
step('import', "import {$import['id']}");

$ofImport = ['singlePointImportId' => $import['id']] + $order;
$shipment = $ship($ofImport);
must($shipment['singlePointImport']['shipmentId'] === 'GCCN-1', 'a shipment names its import');
step('import used', "shipment {$shipment['id']} of import {$shipment['singlePointImport']['id']}");

$answer = $client->post('api/single/point/import/complete', ['json' => ['id' => $import['id']]]);
must($answer->getStatusCode() === 204 && (string) $answer->getBody() === '', 'a completion is a 204 without a body');
step('import completed', '204');

refusal(406, fn () => $client->post('api/single/point/import/complete', ['json' => ['id' => $import['id']]]));
refusedInBothLanguages(406, fn (array $headers) => $ship($ofImport, ['headers' => $headers]));
step('import refused', '406');
