import type { Asset, AssetLook } from '../domain/asset.ts'
import type { AddressAttempt } from '../domain/attempt.ts'
import type { EndpointChoices } from '../domain/public-endpoint.ts'

/** What pages of buyers need besides the context. `boot/compose.ts` fills it. */
export interface PageExtras {
  isSandbox: boolean
  faucetUrl(attempt: AddressAttempt): string | null
  look(asset: Asset): AssetLook
}

/** What all routes together need besides the context. */
export interface RouteExtras extends PageExtras {
  /** public endpoints of a chain; null for a chain that an operator added */
  endpointChoices(chain: string): EndpointChoices | null
  /** where to report a security problem; empty for nowhere */
  securityContact: string
  /** pays the open payment of an order in the sandbox; null where money is real */
  simulatePayment: ((orderId: string) => Promise<void>) | null
}
