import type { Asset, AssetLook } from '../../domain/asset.ts'
import type { EndpointChoices } from '../../domain/public-endpoint.ts'
import type { Context } from '../../operations/context.ts'
import type { RateLimit } from '../rate-limit.ts'

/** The headers of a response, as Elysia has them. */
export type ResponseHeaders = Record<string, string | number>

/** What the pages of the dashboard need. */
export interface DashboardDeps {
  context: Context
  isSandbox: boolean
  /** how an asset is shown */
  look(asset: Asset): AssetLook
  /** public endpoints of a chain; null for a chain that an operator added */
  endpointChoices(chain: string): EndpointChoices | null
  /** pays the open payment of an order in the sandbox; null where money is real */
  simulatePayment: ((orderId: string) => Promise<void>) | null
  /** how many times one client may try to sign in, or to use a link */
  limit: RateLimit
  /** where a request comes from; empty if that is not known */
  addressOf(request: Request): string
}
