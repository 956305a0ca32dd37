<?php
require $argv[1];
use Florin\{Florin, FlorinError};

$given = json_decode(getenv('GIVEN'), true);
$order = $given['order'];

function failure(callable $run): mixed
{
    try {
        $run();
    } catch (FlorinError $error) {
        return [$error->errorCode, $error->status, array_column($error->details, 'path')];
    } catch (InvalidArgumentException) {
        return 'refused';
    }
    return 'nothing failed';
}

$at = fn (string $path) => new Florin($given['url'] . $path, $given['key'], retries: 0);
$florin = new Florin($given['url'], $given['key']);
$flaky = new Florin($given['url'] . '/lost', $given['key']);
$first = $flaky->createOrder($order, 'cart-number-1');
$again = $florin->createOrder($order, 'cart-number-1');
$second = $flaky->createOrder($order);
$idsOf = fn (iterable $orders) => array_map(fn ($one) => $one['orderUUID'], iterator_to_array($orders, false));
echo json_encode([
    'isSame' => $first['orderUUID'] === $again['orderUUID'],
    'isTest' => (new Florin($given['url'], $given['testKey']))->createTestOrder($order)['livemode'] === false,
    'listed' => $idsOf($florin->listOrders(['pageSize' => 1])) === [$second['orderUUID'], $first['orderUUID']],
    'filtered' => count($idsOf($florin->listOrders(['status' => 'PAID']))),
    'tests' => count($idsOf($florin->listOrders(['livemode' => false]))),
    'webhooks' => count($florin->request('GET', '/v1/webhooks')['items']),
    'cancelled' => $florin->cancelOrder($second['orderUUID'])['order']['status'],
    'notCancellable' => failure(fn () => $florin->cancelOrder($second['orderUUID'])),
    'invalid' => failure(fn () => $florin->createOrder([...$order, 'amount' => 25.5])),
    'unknown' => failure(fn () => $florin->getOrder('../orders?x=#')),
    'redirected' => failure(fn () => $at('/moved')->getWallet()),
    'page' => failure(fn () => $at('/page')->getWallet()),
    'away' => failure(fn () => (new Florin($given['away'], $given['key'], retries: 0))->getWallet()),
    'cut' => [
        failure(fn () => (new Florin($given['cut'], $given['key'], retries: 0))->getOrder('1')),
        failure(fn () => (new Florin($given['cut'], $given['key'], retries: 0))->getOrder('1')),
        array_key_exists('isWhole', (new Florin($given['cut'], $given['key'], retries: 1))->getOrder('1')),
    ],
    'plain' => failure(fn () => new Florin('http://pay.shop.example', $given['key'])),
    'wallet' => array_key_exists('cryptoWallets', $florin->getWallet()),
    'events' => array_map(
        fn ($one) => Florin::verifyWebhook($one['headers'], $one['body'], $given['secret']) !== null,
        $given['deliveries'],
    ),
]);
