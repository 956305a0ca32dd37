<?php

declare(strict_types=1);

namespace Florin;

/**
 * Client of Florin, a self-hosted payments server. One file, no dependencies, PHP 8.1 or later.
 *
 *     require 'Florin.php';
 *     $florin = new Florin\Florin('https://pay.shop.example', $apiKey);
 *     $order = $florin->createOrder(['amount' => '25.00', 'currency' => 'USD', 'paymentMethodsKeys' => ['*'],
 *         'customer' => ['email' => 'buyer@example.com', 'fullName' => 'Sam Buyer']]);
 *     header('Location: ' . $order['checkoutUrl']);
 *
 * Amounts are decimal strings such as "25.00", never floats.
 */
final class Florin
{
    /** Max difference between the time of a delivery and this computer's time, in seconds. */
    private const TOLERANCE_SECONDS = 300;
    /** The longest pause between two tries, even if Retry-After is longer. */
    private const MAX_PAUSE_SECONDS = 60;
    /** Statuses of responses after which the same request may succeed. */
    private const RETRIED = [429, 502, 503];
    private const PAGE_SIZE = 100;

    private readonly string $url;

    /** Failed requests are sent again up to $retries times, if this cannot do anything twice. */
    public function __construct(
        string $url,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $timeout = 30.0,
        private readonly int $retries = 3,
    ) {
        $parts = parse_url($url);
        $isLocal = in_array($parts['host'] ?? '', ['localhost', '127.0.0.1', '[::1]'], true);
        $scheme = $parts['scheme'] ?? '';
        if ($scheme !== 'https' && !($scheme === 'http' && $isLocal)) {
            throw new \InvalidArgumentException('The URL must begin with https://. Only localhost may use http://.');
        }
        $this->url = rtrim($url, '/');
    }

    /** Creates an order. The same $idempotencyKey returns the same order, also after a crash. */
    public function createOrder(array $order, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', '/v1/orders', $order, key: $idempotencyKey ?? bin2hex(random_bytes(16)));
    }

    /** Creates an order that no money can be paid to. It needs a test key. */
    public function createTestOrder(array $order, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', '/v1/test/orders', $order, key: $idempotencyKey ?? bin2hex(random_bytes(16)));
    }

    public function getOrder(string $orderUUID): array
    {
        return $this->request('GET', '/v1/orders/' . rawurlencode($orderUUID));
    }

    /** Orders, newest first. Filters: those of the API, such as ['status' => 'PAID']. */
    public function listOrders(array $filters = []): \Generator
    {
        return $this->pages('/v1/orders', $filters);
    }

    /** Cancels an UNPAID order, as long as no buyer has started to pay it. */
    public function cancelOrder(string $orderUUID, ?string $reason = null): array
    {
        $body = $reason === null ? [] : ['reason' => $reason];
        return $this->request('POST', '/v1/orders/' . rawurlencode($orderUUID) . '/cancel', $body);
    }

    /** Records a refund that was paid back: ['amount' => '5.00', 'reason' => 'returned']. Moves no money. */
    public function recordRefund(string $orderUUID, array $refund, ?string $idempotencyKey = null): array
    {
        $path = '/v1/orders/' . rawurlencode($orderUUID) . '/refunds';
        return $this->request('POST', $path, $refund, key: $idempotencyKey ?? bin2hex(random_bytes(16)));
    }

    public function listRefunds(string $orderUUID): \Generator
    {
        return $this->pages('/v1/orders/' . rawurlencode($orderUUID) . '/refunds', []);
    }

    public function getTransaction(string $transactionId): array
    {
        return $this->request('GET', '/v1/transactions/' . rawurlencode($transactionId));
    }

    /** Transactions, newest first. Filters: those of the API, such as orderUUID. */
    public function listTransactions(array $filters = []): \Generator
    {
        return $this->pages('/v1/transactions', $filters);
    }

    public function getEvent(string $id): array
    {
        return $this->request('GET', '/v1/events/' . rawurlencode($id));
    }

    /** Events with their deliveries, newest first. Filters: those of the API, such as type. */
    public function listEvents(array $filters = []): \Generator
    {
        return $this->pages('/v1/events', $filters);
    }

    public function redeliverEvent(string $id): array
    {
        return $this->request('POST', '/v1/events/' . rawurlencode($id) . '/redeliver');
    }

    public function createProduct(array $product): array
    {
        return $this->request('POST', '/v1/products', $product);
    }

    public function getProduct(string $productUUID): array
    {
        return $this->request('GET', '/v1/products/' . rawurlencode($productUUID));
    }

    public function listProducts(): \Generator
    {
        return $this->pages('/v1/products', []);
    }

    public function changeProduct(string $productUUID, array $change): array
    {
        return $this->request('PATCH', '/v1/products/' . rawurlencode($productUUID), $change);
    }

    public function getWallet(): array
    {
        return $this->request('GET', '/v1/wallet');
    }

    public function changeWallet(array $change): array
    {
        return $this->request('PUT', '/v1/wallet', $change);
    }

    public function getWebhook(): array
    {
        return $this->request('GET', '/v1/webhook');
    }

    /** Sets the URL of the webhook. The first response has the signingSecret, which is never shown again. */
    public function setWebhook(string $url): array
    {
        return $this->request('PUT', '/v1/webhook', ['url' => $url]);
    }

    public function listPaymentMethods(bool $forceFetch = false): array
    {
        return $this->request('GET', '/v1/payment-methods', query: $forceFetch ? ['forceFetch' => 'true'] : []);
    }

    /**
     * Returns the event of a delivery; null if it is not from Florin, or is older than five minutes. $headers is
     * $_SERVER, or the headers by their names. $rawBody is file_get_contents('php://input').
     *
     * Handle each $event['id'] once, ignore types that you do not know, and compare $event['amount'] and
     * $event['currency'] with your order.
     */
    public static function verifyWebhook(
        array $headers,
        string $rawBody,
        #[\SensitiveParameter] string $signingSecret,
        ?int $now = null,
    ): ?array {
        $given = [];
        foreach ($headers as $name => $value) {
            $plain = strtr(strtolower((string) $name), '_', '-');
            $given[str_starts_with($plain, 'http-') ? substr($plain, strlen('http-')) : $plain] = $value;
        }
        $timestamp = (string) ($given['x-service-timestamp'] ?? '');
        if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
            return null;
        }
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            return null;
        }
        $digest = hash_hmac('sha256', "$timestamp.$rawBody", $signingSecret, true);
        $expected = rtrim(strtr(base64_encode($digest), '+/', '-_'), '=');
        $isSigned = hash_equals($expected, (string) ($given['x-service-signature'] ?? ''))
            || hash_equals($expected, (string) ($given['x-service-signature-previous'] ?? ''));
        return $isSigned ? json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR) : null;
    }

    private function pages(string $path, array $filters): \Generator
    {
        $token = null;
        do {
            $query = ['pageSize' => self::PAGE_SIZE, ...$filters, 'pageToken' => $token];
            $page = $this->request('GET', $path, query: $query);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $token = $page['nextPageToken'] ?? null;
        } while ($token !== null);
    }

    /** Sends any request of the API and returns its data. $key is the idempotency key. */
    public function request(
        string $method,
        string $path,
        ?array $body = null,
        array $query = [],
        ?string $key = null,
    ): array {
        $textOf = fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value;
        $known = http_build_query(array_map($textOf, $query));
        $url = $this->url . $path . ($known === '' ? '' : "?$known");
        $mayRepeat = $method === 'GET' || $key !== null;
        for ($tried = 0; ; $tried++) {
            try {
                return $this->send($method, $url, $body, $key);
            } catch (FlorinError $error) {
                // An incomplete response with a status of success was lost on its way.
                $isLost = $error->errorCode === 'no_response' && $error->status < 300;
                $isPassing = $isLost || in_array($error->status, self::RETRIED, true);
                if ($tried >= $this->retries || !$mayRepeat || !$isPassing) {
                    throw $error;
                }
                $pause = $error->retryAfter ?? 2 ** $tried * random_int(50, 100) / 100;
                usleep((int) (min($pause, self::MAX_PAUSE_SECONDS) * 1_000_000));
            }
        }
    }

    private function send(string $method, string $url, ?array $body, ?string $key): array
    {
        $headers = ["X-API-Key: $this->apiKey", 'Accept: application/json', 'Connection: close'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($key !== null && !preg_match('/\A[A-Za-z0-9._:-]{8,128}\z/', $key)) {
            throw new \InvalidArgumentException('A key has 8 to 128 letters, digits or . _ : -');
        }
        if ($key !== null) {
            $headers[] = "Idempotency-Key: $key";
        }
        // Redirects are not followed: the API has none, and the key must not be sent to another server.
        $options = ['method' => $method, 'header' => $headers, 'timeout' => $this->timeout,
            'ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
        if ($body !== null) {
            $options['content'] = json_encode($body === [] ? (object) [] : $body, JSON_THROW_ON_ERROR);
        }
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
        $text = $stream === false ? false : stream_get_contents($stream);
        if ($stream === false || $text === false || stream_get_meta_data($stream)['timed_out']) {
            throw new FlorinError('no_response', 'The server did not respond.');
        }
        return self::dataOf(stream_get_meta_data($stream)['wrapper_data'], $text);
    }

    /** @param string[] $lines the status line and the headers */
    private static function dataOf(array $lines, string $text): array
    {
        $status = (int) (explode(' ', $lines[0])[1] ?? 0);
        $answer = json_decode($text, true);
        if (is_array($answer) && ($answer['success'] ?? null) === true) {
            return $answer['data'] ?? [];
        }
        $pauses = preg_filter('/\Aretry-after:\s*([0-9]+)\s*\z/i', '$1', $lines);
        $failure = is_array($answer) && is_array($answer['error'] ?? null)
            ? $answer['error']
            : ['code' => 'no_response', 'message' => "The response with status $status is not from Florin."];
        throw new FlorinError(
            $failure['code'],
            $failure['message'],
            $status,
            $failure['requestId'] ?? null,
            $failure['details'] ?? [],
            $pauses === [] ? null : (int) end($pauses),
        );
    }
}

/**
 * A request that the server refused, or that got no usable response. The error code is one of the documented
 * codes, such as "validation_error", or "no_response". The details name the fields to correct.
 */
final class FlorinError extends \RuntimeException
{
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly array $details = [],
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct("$errorCode: $message");
    }
}
