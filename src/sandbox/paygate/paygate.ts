import { Elysia } from 'elysia'
import type { State } from '../state.ts'
import { apiRoutes } from './api.ts'
import { checkoutRoutes, type PageOf } from './checkout.ts'
import type { Random } from './coins.ts'
import { type Deliver, openPayments } from './payments.ts'
import { openSigner } from './signer.ts'
import { openWallets } from './wallets.ts'

interface GatewayParts {
  state: State
  clock(): number
  random: Random
  /** while true, every route answers 503 */
  isDown(): boolean
  /** must not throw; 0 means that the callback failed */
  deliver: Deliver
  pageOf: PageOf
}

/**
 * Simulates PayGate.to: its API under /gateway/api, payment pages under /gateway/checkout, and signed
 * callbacks. The state survives a restart.
 */
export function gatewayStandIn({ state, clock, random, isDown, deliver, pageOf }: GatewayParts) {
  const wallets = openWallets(state, clock, random)
  const signer = openSigner(state)
  const payments = openPayments(wallets, signer, random, deliver)
  const routes = new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .use(apiRoutes(wallets))
    .use(checkoutRoutes(wallets, payments, pageOf))
  return { routes, payments, publicKey: () => signer.publicKey() }
}
