<?php

// A day of a legacy program in PHP with Guzzle: php day.php LEGACY_BASE_URL
// It prints a line for each step, and ends with exit code 1 at the first answer that legacy does not promise.

declare(strict_types=1);

use GuzzleHttp\Client;

require '/usr/share/php/GuzzleHttp/autoload.php';
require __DIR__ . '/support.php';

// What PHP itself warns of, such as a member that is missing, ends the day too.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message), E_WARNING | E_NOTICE);
set_exception_handler(function (Throwable $thrown): never {
    fwrite(STDERR, "not as promised, after the steps that are printed: {$thrown->getMessage()}" . PHP_EOL);
    exit(1);
});

must(isset($argv[1]), 'usage: php day.php LEGACY_BASE_URL');
$base = rtrim($argv[1], '/') . '/';
$stranger = new Client(['base_uri' => $base, 'timeout' => 30]);

$credentials = ['clientId' => 'demo-client', 'secretKey' => 'demo-secret'];
$token = json($stranger->post('auth/application', ['json' => $credentials]))['token'];
must(is_string($token) && $token !== '', 'a login answers a token');
step('login', 'a token');

$client = new Client(['base_uri' => $base, 'timeout' => 30, 'headers' => ['Authorization' => "Bearer $token"]]);

require __DIR__ . '/shipping.php';
require __DIR__ . '/finance.php';
require __DIR__ . '/lists.php';
require __DIR__ . '/refusals.php';
require __DIR__ . '/transfer.php';
