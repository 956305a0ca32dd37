<?php
// Serves the webhook of the README: its last example handles each request.
require getenv('CLIENT');

$signingSecret = getenv('SECRET');

function findOrder(string $orderUUID): ?array
{
    return json_decode(file_get_contents(getenv('DOOR') . "/$orderUUID/find"), true);
}

function shipOnce(array $order): void
{
    file_get_contents(getenv('DOOR') . "/{$order['id']}/ship");
}

eval(getenv('EXAMPLE'));
