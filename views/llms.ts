/** A short guide to the API for language models. */
export const llmsText = (baseUrl: string): string => `# Florin

> A self-hosted payments server. A shop's server creates an order over HTTP and sends the buyer to the
> order's checkout page, where they pay by card, bank transfer, digital wallet or crypto. Florin verifies the
> payment and sends a signed order.paid event to the shop's webhook.

Base URL: ${baseUrl}
OpenAPI 3.1: ${baseUrl}/swagger/json
API reference for browsers: ${baseUrl}/swagger

Every /v1 request, except those under /v1/checkout, needs the merchant's API key in the X-API-Key header.
Bodies are JSON with Content-Type: application/json. Responses are {"success": true, "data": …} or
{"success": false, "error": {"code", "message", "requestId", "details"?}}. Use error.code to handle
errors. Amounts are decimal strings such as "25.00", with exactly the decimal places of their currency.
Unknown fields return 400.

## Your first order in three requests

1. PUT ${baseUrl}/v1/wallet {"payoutWallet": "0x…"} sets the address that receives your money (scope
   wallet:write, live key).
2. PUT ${baseUrl}/v1/webhook {"url": "https://…"} sets your webhook. Only the first response contains the
   signingSecret (scope webhooks:write, live key).
3. POST ${baseUrl}/v1/orders {"amount": "25.00", "currency": "USD", "paymentMethodsKeys": ["*"],
   "customer": {"email": "buyer@example.com"}} creates an order (scope orders:create, live key). Send an
   Idempotency-Key so that a retry creates no second order. Then send the buyer to data.checkoutUrl.

To try it without money, send the same body to POST ${baseUrl}/v1/test/orders with a test key. Then send the
form field outcome=paid to POST ${baseUrl}/pay/{orderUUID}/test, or another of underpaid, overpaid, pending,
failed, expired, late and refunded.

GET ${baseUrl}/v1/orders/{orderUUID} returns the order. Its status is UNPAID, PAID, FAILED, EXPIRED or
CANCELLED.

## Verifying a webhook

Take the headers X-Service-Timestamp and X-Service-Signature and the raw body. Compute the HMAC-SHA256 of the
timestamp, a dot and the raw body with the signing secret, and encode it as base64url without padding. Compare
it with the signature in constant time before you parse the body. Reject timestamps that are more than 300
seconds old. Process each X-Service-Event-Id only once. Respond with exactly 200: after any other response the
event is delivered again, for up to 3 days.
`
