import type { Operation } from './describe.ts'

const description = `Florin is a payments server that a merchant hosts alone. Your server creates an order and
sends the buyer to its \`checkoutUrl\`; when the settlement is verified, your webhook hears \`order.paid\`.

Every answer is JSON: \`{"success": true, "data": …}\`, or \`{"success": false, "error": {"code",
"message", "requestId", "details"?}}\`. Decide by \`code\`. An unknown route is 404 \`not_found\`.

Send the merchant's API key in \`X-API-Key\`, from a server only. The key decides the merchant; a key
without the scope of an operation gets 403 \`insufficient_scope\`, and a test key on a live operation 403
\`live_key_required\`.

Amounts are decimal texts with exactly the places of their currency. Bodies and queries take no members
but those that are named here.`

const texts: Record<Operation['tag'], string> = {
  Orders: 'What a buyer is asked to pay, and what was paid back.',
  Transactions: 'Verified settlements.',
  Events: 'What the webhook hears, and how its delivery went.',
  Products: 'Templates of orders, each with a public checkout page.',
  Checkout: 'What a product’s public page asks, without a key.',
  Merchant: 'Payout wallets, webhook and payment methods.',
  Health: 'For whoever watches the server.',
}

export const tags = Object.entries(texts).map(([name, text]) => ({ name, description: text }))

/** All of the document but what is computed. */
export const about = {
  openapi: '3.1.0',
  info: {
    title: 'Florin',
    version: '1.0.0',
    summary: 'Merchant Payments Service API, version 1',
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'Where this document is served.' }],
  components: {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A merchant’s API key.' },
    },
    headers: {
      RequestId: {
        description: 'The request’s id, as in the server’s log.',
        required: true,
        schema: { type: 'string', format: 'uuid' },
      },
      RetryAfter: {
        description: 'Seconds until the client may try again.',
        required: true,
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
    },
  },
}
