<?php
// Receives webhooks with PHP 8 alone: verifies, deduplicates, processes (prints a line), responds.
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8000 docs/examples/receivers/receiver.php
// It listens on plain HTTP on this machine only: webhooks come by HTTPS, so put a proxy that speaks TLS before it.
declare(strict_types=1);

const TOLERANCE_S = 300;
// One empty file an event. In your system: a table with the id as its key, where the event is stored before the response.
$seen = getenv('SEEN_FOLDER') ?: sys_get_temp_dir() . '/webhooks-seen';

function signing_key(): string
{
    $secret = (string) getenv('WEBHOOK_SECRET');
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : $secret;
    return $key ?: throw new RuntimeException('WEBHOOK_SECRET is not set, or not copied whole.');
}

function is_signed(string $id, string $time, string $given, string $body): bool
{
    if (!preg_match('/^[A-Za-z0-9_-]{1,255}$/D', $id) || !preg_match('/^[0-9]{1,12}$/D', $time)) {
        return false;
    }
    if (abs(time() - (int) $time) > TOLERANCE_S) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", signing_key(), true));
    // Several signatures while a rotated secret overlaps the one before it.
    foreach (explode(' ', $given) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$body = file_get_contents('php://input');
if (!is_signed($id, $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $body)) {
    http_response_code(401);
    return;
}
@mkdir($seen, 0700);
// `x` makes the file or fails: of two that come at once one wins.
$is_new = @fopen("$seen/$id", 'x') !== false;
// What could not be stored is not acknowledged: it is to be sent again.
http_response_code($is_new || is_file("$seen/$id") ? 204 : 500);
if ($is_new) {
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    file_put_contents('php://stdout', "$id {$event['event']} " . ($event['request_id'] ?? $event['batch_id']) . "\n");
}
