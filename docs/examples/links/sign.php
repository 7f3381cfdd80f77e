<?php

function sign_link(string $base, string $keyId, string $secret, string $file, array $parameters): string
{
    ksort($parameters, SORT_STRING);
    // As encodeURIComponent in JavaScript.
    $plain = ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*'];
    $encode = fn($text) => strtr(rawurlencode((string) $text), $plain);
    $pairs = array_map(fn($name) => $encode($name) . '=' . $encode($parameters[$name]), array_keys($parameters));
    $query = implode('&', $pairs);
    $signature = hash_hmac('sha256', "$file?$query", $secret);
    return "$base/r/$keyId/$signature/$file?$query";
}
