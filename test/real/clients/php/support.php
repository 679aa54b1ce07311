<?php

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Exception\BadResponseException;
use Psr\Http\Message\ResponseInterface;

/** One line on what a step found: ids, counts and sums, which are the same whoever serves the legacy interface. */
function step(string $name, string ...$facts): void
{
    echo $name, ': ', implode(', ', $facts), PHP_EOL;
}

/** Ends the day unless it holds. */
function must(bool $holds, string $sentence): void
{
    if (!$holds) {
        throw new UnexpectedValueException($sentence);
    }
}

/** The JSON of an answer with this status. */
function json(ResponseInterface $answer, int $status = 200): array
{
    $text = (string) $answer->getBody();
    must($answer->getStatusCode() === $status, "{$answer->getStatusCode()} instead of $status: $text");
    $type = $answer->getHeaderLine('Content-Type');
    must(str_starts_with($type, 'application/json'), "JSON is said to be '$type'");
    return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
}

/** The answer that a call is refused with: with `http_errors`, Guzzle's default, it comes as an exception. */
function refusal(int $status, callable $call): ResponseInterface
{
    try {
        $call();
    } catch (BadResponseException $refused) {
        $error = json($refused->getResponse(), $status);
        must(is_string($error['message'] ?? null) && trim($error['message']) !== '', 'an error has a message');
        must(isset($error['violations']) === ($status === 400), 'a 400 names the fields, and no other error does');
        return $refused->getResponse();
    }
    throw new UnexpectedValueException("a call was not refused with $status");
}

/** The legacy paths of what is wrong, in alphabetical order. */
function violations(callable $call): string
{
    $violations = json(refusal(400, $call), 400)['violations'];
    foreach ($violations as $violation) {
        must(trim($violation['message']) !== '', "{$violation['propertyPath']} says what is wrong");
    }
    $paths = array_column($violations, 'propertyPath');
    sort($paths);
    return implode(' ', $paths);
}

/** Calls in Turkish and in English, and holds the texts of the refusals against each other. */
function refusedInBothLanguages(int $status, callable $call): void
{
    $message = fn (string $language): string =>
        json(refusal($status, fn () => $call(['Accept-Language' => $language])), $status)['message'];
    must($message('tr-TR,tr;q=0.9') !== $message('en-GB,en;q=0.9'), 'a message follows the language');
}

/** Every row of a list that is answered in pages, and what `pagination` counted. */
function everyPage(Client $client, string $path, array $filters): array
{
    $rows = [];
    $page = 1;
    do {
        $answer = json($client->post($path, ['json' => ['page' => $page] + $filters]));
        $pagination = $answer['pagination'];
        must($pagination['page'] === $page, "page $page says that it is page {$pagination['page']}");
        array_push($rows, ...$answer['data']);
    } while ($page++ < $pagination['lastPage']);
    must(count($rows) === $pagination['count'], count($rows) . " rows came of {$pagination['count']}");
    must(count(array_unique(array_column($rows, 'id'))) === count($rows), 'no row comes twice');
    return [$rows, $pagination];
}

/** A legacy timestamp: with an offset of +00:00 and without milliseconds. */
function legacyTime(string $text): DateTimeImmutable
{
    $time = DateTimeImmutable::createFromFormat(DATE_ATOM, $text);
    must($time !== false && $time->format(DATE_ATOM) === $text, "$text is no legacy timestamp");
    return $time;
}

function money(float|int $amount): string
{
    return number_format($amount, 2, '.', '');
}
