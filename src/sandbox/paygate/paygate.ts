import { Elysia } from 'elysia'
import type { State } from '../state.ts'
import { apiRoutes } from './api.ts'
import { checkoutRoutes, type PageOf } from './checkout.ts'
import type { Random } from './coins.ts'
import { type Deliver, openPayments } from './payments.ts'
import { openSigner } from './signer.ts'
import { openWallets } from './wallets.ts'

interface PayGateSandboxParts {
  state: State
  clock(): number
  random: Random
  /** while true, every route answers 503 */
  isDown(): boolean
  /** must not throw: a status of 0 stands for a callback that was not delivered */
  deliver: Deliver
  pageOf: PageOf
}

/**
 * Simulates PayGate.to: its API under /gateway/api, its payment pages under /gateway/checkout, and signed
 * callbacks. Everything it knows is in the state, so that it survives a restart.
 */
export function payGateSandbox({ state, clock, random, isDown, deliver, pageOf }: PayGateSandboxParts) {
  const wallets = openWallets(state, clock, random)
  const signer = openSigner(state)
  const payments = openPayments(wallets, signer, random, deliver)
  const routes = new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .use(apiRoutes(wallets))
    .use(checkoutRoutes(wallets, payments, pageOf))
  return { routes, payments, publicKey: () => signer.publicKey() }
}
