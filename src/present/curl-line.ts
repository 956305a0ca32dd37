/** A command that creates an order. In the shell, a key such as $FLORIN_KEY is replaced by its value. */
export const curlLine = (url: string, key: string, method = '*'): string => `curl ${url}/v1/orders \\
  -H "X-API-Key: ${key}" -H 'Content-Type: application/json' \\
  -d '{"amount": "12.50", "currency": "USD", "paymentMethodsKeys": ["${method}"],
       "customer": {"email": "buyer@example.com"}}'`
