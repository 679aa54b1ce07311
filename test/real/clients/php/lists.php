<?php

// Part of day.php: the reference lists, all at the same time, as programs ask for them when they start.

declare(strict_types=1);

use GuzzleHttp\Promise\Utils;

$answers = Utils::unwrap([
    'countries' => $stranger->getAsync('country/all', ['query' => ['sortBy' => 'code', 'sortOrder' => 'ASC']]),
    'cities' => $client->getAsync('city/all?countryCode=TR'),
    'counties' => $client->getAsync('county/all', ['query' => ['cityId' => 34, 'sortBy' => '']]),
    'currencies' => $client->getAsync('api/currency?sortBy=sellingRateTry&sortOrder=desc'),
    'units' => $client->getAsync('api/unit/of/measure/all'),
    'export codes' => $client->getAsync('api/export/code'),
]);
$lists = array_map(json(...), $answers);
$members = [
    'countries' => 'flagW40', 'cities' => 'countryCode', 'counties' => 'cityId', 'currencies' => 'rate',
    'units' => 'code', 'export codes' => 'name',
];
foreach ($lists as $name => $list) {
    must(array_is_list($list), "$name are an array");
    must(count(array_column($list, $members[$name])) === count($list), "all $name have their {$members[$name]}");
    step($name, count($list) . ' rows', "the first {$list[0]['id']}", 'the last ' . end($list)['id']);
}
must(is_float($lists['currencies'][0]['rate']['sellingRateTry']), 'a currency has a selling rate');
legacyTime($lists['currencies'][0]['updatedAt']);

$nameOfGermany = fn (string $language): string => json($stranger->get('country/all', [
    'query' => ['code' => 'DE'], 'headers' => ['Accept-Language' => $language],
]))[0]['name'];
step('languages', $nameOfGermany('tr'), $nameOfGermany('en-US,en;q=0.5'));
