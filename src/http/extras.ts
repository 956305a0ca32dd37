import type { Asset, AssetLook } from '../domain/asset.ts'
import type { AddressAttempt } from '../domain/attempt.ts'
import type { EndpointChoices } from '../domain/public-endpoint.ts'
import type { PageFiles } from './pages/assets.ts'

/** Dependencies of buyer pages besides the context. They are set in `boot/compose.ts`. */
export interface PageExtras {
  isSandbox: boolean
  files: PageFiles
  faucetUrl(attempt: AddressAttempt): string | null
  look(asset: Asset): AssetLook
}

/** Dependencies of routes besides the context. */
export interface RouteExtras extends PageExtras {
  /** Public endpoints of a chain; null for a chain that an operator added. */
  endpointChoices(chain: string): EndpointChoices | null
  /** contact for reports of security problems; empty if there is no contact */
  securityContact: string
  /** pays the open payment of an order in the sandbox; null where money is real */
  simulatePayment: ((orderId: string) => Promise<void>) | null
}
