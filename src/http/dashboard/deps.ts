import type { Asset, AssetLook } from '../../domain/asset.ts'
import type { EndpointChoices } from '../../domain/public-endpoint.ts'
import type { Context } from '../../operations/context.ts'
import type { RateLimit } from '../rate-limit.ts'

/** The headers of a response, in the form that Elysia uses. */
export type ResponseHeaders = Record<string, string | number>

/** The dependencies of the pages of the dashboard. */
export interface DashboardDeps {
  context: Context
  isSandbox: boolean
  /** returns the look of an asset on pages */
  look(asset: Asset): AssetLook
  /** public endpoints of a chain; null for a chain that an operator added */
  endpointChoices(chain: string): EndpointChoices | null
  /** pays the open payment of an order in the sandbox; null where money is real */
  simulatePayment: ((orderId: string) => Promise<void>) | null
  /** limits how many times one client may try to sign in, or use a link */
  limit: RateLimit
  /** returns the address from which a request comes; empty if it is not known */
  addressOf(request: Request): string
}
