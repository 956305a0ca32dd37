/** What Florin is, for a program that reads. */
export const llmsText = (baseUrl: string): string => `# Florin

> A payments server that one merchant hosts. A shop's server creates an order over HTTP and sends the
> buyer to the order's checkout page, where he pays by card, bank, wallet or crypto. Florin verifies the
> settlement and posts a signed order.paid to the shop's webhook.

Base URL: ${baseUrl}
OpenAPI 3.1: ${baseUrl}/swagger/json
The same to read in a browser: ${baseUrl}/swagger

Every /v1 request but those of /v1/checkout carries the merchant's key in the header X-API-Key, and JSON
with Content-Type: application/json. Answers are {"success": true, "data": …} or {"success": false,
"error": {"code", "message", "requestId", "details"?}}: decide by error.code. Amounts are decimal texts,
such as "25.00", with exactly the places of their currency. Bodies take no members but those of the
document.

## The first order in three requests

1. PUT ${baseUrl}/v1/wallet {"payoutWallet": "0x…"} names where money goes (scope orders:manage, live
   key).
2. PUT ${baseUrl}/v1/webhook {"url": "https://…"} answers the signingSecret, this once (scope
   webhooks:write, live key).
3. POST ${baseUrl}/v1/orders {"amount": "25.00", "currency": "USD", "paymentMethodsKeys": ["*"],
   "customer": {"email": "buyer@example.com"}} (scope orders:create, live key; send an Idempotency-Key so
   that a repeat makes no second order). Send the buyer to data.checkoutUrl.

GET ${baseUrl}/v1/orders/{orderUUID} reads the order back: UNPAID, PAID, FAILED, EXPIRED or CANCELLED.

## Verifying a webhook

Take the headers X-Service-Timestamp and X-Service-Signature and the raw body. Compute HMAC-SHA256 of
timestamp, a dot and the raw body, keyed with the signing secret, as base64url without padding; compare it
with the signature in constant time, before parsing. Refuse timestamps that are more than 300 seconds
away. Handle each X-Service-Event-Id once, and answer exactly 200: anything else is delivered again, for
up to 3 days.
`
