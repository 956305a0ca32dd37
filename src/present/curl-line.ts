/** A shell command that creates an order. `key` may be a shell variable such as $FLORIN_KEY. */
export const curlLine = (
  url: string,
  key: string,
  method = '*',
  path = '/v1/orders',
): string => `curl ${url}${path} \\
  -H "X-API-Key: ${key}" -H 'Content-Type: application/json' \\
  -d '{"amount": "12.50", "currency": "USD", "paymentMethodsKeys": ["${method}"],
       "customer": {"email": "buyer@example.com"}}'`
