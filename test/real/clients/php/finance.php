<?php

// Part of day.php: invoices, page by page, and charges.

declare(strict_types=1);

$find = fn (array $filters): array => everyPage($client, 'api/invoice/list', $filters);

[$invoices, $pagination] = $find(['perPage' => 50]);
$newest = $invoices[0];
step(
    'invoices',
    "{$pagination['count']} on {$pagination['lastPage']} pages",
    money(array_sum(array_column($invoices, 'priceTry'))) . ' TRY',
    "the newest {$newest['number']} in {$newest['currency']['code']}",
    'of ' . legacyTime($newest['dateAt'])->format('U'),
    'due ' . legacyTime($newest['paymentExpirationAt'])->format('U'),
);

[$paid] = $find(['isPayment' => true, 'perPage' => 100]);
[$unpaid] = $find(['isPayment' => false, 'perPage' => 100]);
must(!in_array(false, array_column($paid, 'isPaid'), true), 'isPayment finds paid invoices only');
must(count($paid) + count($unpaid) === count($invoices), 'every invoice is paid or unpaid');
step('invoices by payment', count($paid) . ' paid', count($unpaid) . ' unpaid');

$none = json($client->post('api/invoice/list', ['json' => ['statusId' => 4]]));
must($none['data'] === [], 'no invoice has status 4');
step('invoices of status 4', "{$none['pagination']['count']} on {$none['pagination']['lastPage']} pages");

[$spring] = $find(['dateAtBetween' => ['startAt' => '2025-03-01', 'endAt' => '2025-05-31T10:00:00+00:00']]);
foreach ($spring as ['dateAt' => $date]) {
    $month = (int) legacyTime($date)->format('Ym');
    must($month >= 202503 && $month <= 202505, "$date is of spring");
}
step('invoices by date', count($spring) . ' of spring 2025');

[$large, $pagination] = $find(['perPage' => 300]);
must($large === $invoices, 'larger pages hold the same invoices');
step('invoices on large pages', "{$pagination['count']} on {$pagination['lastPage']} pages");

[$charges, $pagination] = everyPage($client, 'api/transaction/charge/list', ['perPage' => 20]);
must(in_array('READY', array_column(array_column($charges, 'billingStatus'), 'slug'), true), 'a charge is ready');
step(
    'charges',
    "{$pagination['count']} on {$pagination['lastPage']} pages",
    'sum ' . money(array_sum(array_column($charges, 'amount'))),
    "the newest {$charges[0]['transaction']['trackingNumber']}",
    'of ' . legacyTime($charges[0]['createdAt'])->format('U'),
);
