<?php

// Part of day.php: ways in which requests and answers travel.

declare(strict_types=1);

use GuzzleHttp\Psr7\Utils;

// Some 80 KB, for which the program waits to hear that it may send them.
$shipment = $ship(['products' => array_fill(0, 400, $product('C62'))] + $order, ['expect' => true]);
step('large order', count($shipment['products']) . ' products');

// The program does not know the length of this body: it is chunked.
$pieces = (fn () => yield from ['{"perPage":', '3', '}'])();
$answer = json($client->post('api/invoice/list', ['body' => Utils::streamFor($pieces)]));
step('chunked body', count($answer['data']) . ' rows');

$answer = json($client->get('country/all', ['decode_content' => 'gzip']));
step('compressed answer', count($answer) . ' rows');

// What programs without Guzzle do.
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => "Authorization: Bearer $token\r\nContent-Type: application/json",
    'content' => '{"perPage":300}',
]]);
$answer = json_decode(file_get_contents("{$base}api/invoice/list", false, $context), true, 512, JSON_THROW_ON_ERROR);
must($answer['data'] === array_slice($invoices, 0, 300), 'file_get_contents reads what Guzzle reads');
step('file_get_contents', count($answer['data']) . ' rows');
