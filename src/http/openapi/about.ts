import type { Operation } from './describe.ts'

const introduction = `Florin is a self-hosted payments server. Your server creates an order and sends the
buyer to its \`checkoutUrl\`. When the payment has been verified, Florin sends \`order.paid\` to your webhook.

Every response is JSON: \`{"success": true, "data": …}\` or \`{"success": false, "error": {"code",
"message", "requestId", "details"?}}\`. Use \`code\` to handle errors in your program. An unknown route
returns 404 \`not_found\`.

Send the merchant's API key in the \`X-API-Key\` header, and only from a server. The key identifies the
merchant. A key without the required scope gets 403 \`insufficient_scope\`; a test key gets 403
\`live_key_required\` where a live key is required. A test key makes test orders with
\`POST /v1/test/orders\`, which no money can be paid to; what belongs to them has \`"livemode": false\`.

Amounts in responses are decimal strings with exactly the decimal places of their currency. Request bodies
and queries with unknown fields return 400 \`validation_error\`.`

const tagDescriptions: Record<Operation['tag'], string> = {
  Orders: 'What a buyer is asked to pay, and refunds.',
  Transactions: 'Verified payments.',
  Events: 'What was sent to the webhook, and whether it was delivered.',
  Products: 'Templates for orders, each with a public checkout page.',
  Checkout: 'Public product checkout, without an API key.',
  Merchant: 'Payout wallets, webhook and payment methods.',
  Health: 'For monitoring the server.',
}

export const tags = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }))

/** The fixed parts of the OpenAPI document. */
export const about = {
  openapi: '3.1.0',
  info: {
    title: 'Florin',
    version: '1.0.0',
    summary: 'Merchant Payments Service API, version 1',
    description: introduction,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The server of this document.' }],
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A merchant’s API key.' },
      login: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-florin_login',
        description: 'The login of a person of the dashboard. Requests of other sites are refused.',
      },
    },
    headers: {
      RequestId: {
        description: 'The ID of the request, as in the server’s log.',
        required: true,
        schema: { type: 'string', format: 'uuid' },
      },
      RetryAfter: {
        description: 'Seconds to wait before the next attempt.',
        required: true,
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      RateLimitLimit: {
        description:
          'Requests that may be sent in a minute. Sent with every response to which a limit applies.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      RateLimitRemaining: {
        description: 'Requests that may be sent now. Sent with every response to which a limit applies.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      RateLimitReset: {
        description:
          'Seconds until all requests of a minute may be sent again if none is sent; they come back one by ' +
          'one. Sent with every response to which a limit applies.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
    },
  },
}
