<?php

// Part of day.php: what is refused, and how.

declare(strict_types=1);

$wrong = ['products' => [$product('C62'), $product('NONE')]] + $order;
$wrong['recipientAddress']['city'] = '';
$sameName = ['name' => 'PHP', 'shipmentId' => 'GCCN-2'];
step(
    'violations',
    violations(fn () => $ship($wrong)),
    violations(fn () => $find(['dateAtBetween' => ['startAt' => '31.12.2025']])),
    violations(fn () => $client->post('api/single/point/import', ['json' => $sameName])),
    violations(fn () => $stranger->post('auth/application', ['json' => ['clientId' => 'demo-client']])),
);

refusedInBothLanguages(406, fn (array $headers) => $ship(['carrierId' => 99] + $order, ['headers' => $headers]));
step('business error', '406');

$wrong = ['secretKey' => 'wrong'] + $credentials;
refusedInBothLanguages(401, fn (array $headers) =>
    $stranger->post('auth/application', ['json' => $wrong, 'headers' => $headers]));
step('wrong credentials', '401');

$refused = refusal(401, fn () => $stranger->get('api/currency', ['headers' => ['Authorization' => 'Bearer nobody']]));
step('unknown token', '401', $refused->getHeaderLine('WWW-Authenticate'));

refusal(404, fn () => $client->get('api/no/such/thing'));
step('unknown path', '404');

step('wrong method', '405', refusal(405, fn () => $client->get('api/invoice/list'))->getHeaderLine('Allow'));

$broken = ['body' => '{"page": 1,', 'headers' => ['Content-Type' => 'application/json']];
refusal(400, fn () => $client->post('api/invoice/list', $broken));
step('malformed body', '400');
