import { Florin } from './florin/client.ts'

export interface FlorinOptions {
  /** the address of the server, such as https://pay.shop.example */
  url: string
  /** a live key with the scopes orders:create, orders:manage and api:read */
  apiKey: string
  /** the signing secret of the webhook that leads to /hooks/florin */
  webhookSecret: string
  /** methods from which buyers can choose; by default ['*'], for all methods */
  paymentMethods?: string[]
  /** public HTTPS URL to which buyers return; {cart_id} is replaced */
  returnUrl?: string
}

/** Time limit of requests to Florin, for which buyers wait. */
const TIMEOUT_MS = 10_000

/** Says which option is missing before the shop starts. */
export function checkOptions(options: Partial<FlorinOptions>): asserts options is FlorinOptions {
  for (const name of ['url', 'apiKey', 'webhookSecret'] as const) {
    const value = options[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`medusa-payment-florin: the option ${name} is missing in medusa-config.`)
  }
  clientOf(options as FlorinOptions)
}

export const clientOf = ({ url, apiKey }: FlorinOptions): Florin =>
  new Florin({ url, apiKey, timeoutMs: TIMEOUT_MS, retries: 1 })
