import { Elysia, t } from 'elysia'
import type { Html } from '../../views/html.ts'
import { LIGHTNING } from '../domain/lightning.ts'
import type { Fetch, Network } from '../networks/port.ts'
import { sandboxAddress, sandboxSources } from './chain/addresses.ts'
import { Ledger } from './chain/ledger.ts'
import { sandboxNetwork } from './chain/network.ts'
import { chainRoutes } from './chain/routes.ts'
import { sandboxLightning } from './lightning/network.ts'
import { mollieStandIn } from './mollie/mollie.ts'
import { pageResponse } from './page-response.ts'
import { gatewayStandIn } from './paygate/paygate.ts'
import { payPalStandIn } from './paypal/paypal.ts'
import { rateRoutes } from './rates.ts'
import { SafeBoolean, SafeInteger } from './safe-types.ts'
import { type ChargeSimulations, type PaymentOf, simulateRoutes } from './simulate.ts'
import type { State } from './state.ts'
import { stripeStandIn } from './stripe/stripe.ts'

interface SandboxParts {
  state: State
  random(bytes: number): Uint8Array
  fetch: Fetch
  /** URL of this server */
  baseUrl(): string
  /** URL of this server for buyers */
  publicUrl: string
  /** the server's clock, which the sandbox can advance */
  clock(): number
  advance(ms: number): void
  /** runs all due jobs, after the clock was advanced */
  settle(): Promise<void>
  /** called when an upstream fails or recovers */
  onOutage(): void
  hasAsset(id: string): boolean
  paymentOf: PaymentOf
  pageOf(parts: { title: string; body: Html }): string
  /** reads JSON or a form of limited size */
  readBody(request: Request): Promise<unknown>
}

const upstreams = ['provider', 'rates', 'chain'] as const
type Upstream = (typeof upstreams)[number]
const closed = { additionalProperties: false }
const YEARS_10_SECONDS = 10 * 365 * 24 * 3600

const Outage = t.Object({ upstream: t.UnionEnum([...upstreams]), down: SafeBoolean() }, closed)
const Clock = t.Object({ advanceSeconds: SafeInteger({ minimum: 0, maximum: YEARS_10_SECONDS }) }, closed)

const outageRoutes = (down: Set<Upstream>, onOutage: () => void) =>
  new Elysia({ normalize: false }).post(
    '/outage',
    ({ body }) => {
      const upstream = body.upstream as Upstream
      if (body.down) down.add(upstream)
      else down.delete(upstream)
      onOutage()
      return { success: true, data: { down: [...down] } }
    },
    { body: Outage },
  )

const clockRoutes = ({ advance, settle, clock }: Pick<SandboxParts, 'advance' | 'settle' | 'clock'>) =>
  new Elysia({ normalize: false }).post(
    '/clock',
    async ({ body }) => {
      advance(body.advanceSeconds * 1000)
      await settle()
      return { success: true, data: { now: new Date(clock()).toISOString() } }
    },
    { body: Clock },
  )

/** Simulates every upstream under /sandbox, with routes by which scripts control them. */
export function openSandbox(parts: SandboxParts) {
  const { state, clock, random, fetch, baseUrl, pageOf } = parts
  const down = new Set<Upstream>()
  const ledger = new Ledger(state, clock, random)

  /** Callback URLs contain this server's public host. The sandbox calls the local one instead. */
  async function deliver(url: string, headers: Record<string, string>): Promise<number> {
    const { pathname } = new URL(url)
    const query = url.slice(url.indexOf('?'))
    const response = await fetch(`${baseUrl()}${pathname}${query}`, { headers, redirect: 'manual' }).catch(
      () => null,
    )
    return response?.status ?? 0
  }

  async function post({ url, ...request }: { url: string; body: string; headers: Record<string, string> }) {
    const target = `${baseUrl()}${new URL(url).pathname}`
    const response = await fetch(target, { method: 'POST', ...request, redirect: 'manual' }).catch(() => null)
    return response?.status ?? 0
  }

  const isDown = () => down.has('provider')
  const cards = { state, clock, random, isDown, deliver: post, pageOf, publicUrl: parts.publicUrl }
  const [stripe, mollie, paypal] = [stripeStandIn(cards), mollieStandIn(cards), payPalStandIn(cards)]
  const charges: ChargeSimulations = {
    simulate: async (id, outcome) =>
      (await stripe.simulate(id, outcome)) ??
      (await mollie.simulate(id, outcome)) ??
      (await paypal.simulate(id, outcome)),
  }
  const gateway = gatewayStandIn({ state, clock, random, isDown, deliver, pageOf })

  const routes = new Elysia({ prefix: '/sandbox', normalize: false })
    .onParse(({ request }) => (saysNothing(request) ? {} : parts.readBody(request)))
    .use(gateway.routes)
    .use(stripe.routes)
    .use(mollie.routes)
    .use(paypal.routes)
    .use(
      chainRoutes({
        ledger,
        clock,
        isDown: () => down.has('chain'),
        pageOf: page(pageOf),
        onArrival: gateway.payments.receive,
      }),
    )
    .use(rateRoutes({ state, isDown: () => down.has('rates'), hasAsset: parts.hasAsset }))
    .use(simulateRoutes({ ledger, payments: gateway.payments, charges, paymentOf: parts.paymentOf }))
    .use(receiverRoutes())
    .use(outageRoutes(down, parts.onOutage))
    .use(clockRoutes(parts))

  return {
    routes,
    publicKey: () => gateway.publicKey(),
    network(chain: string): Network {
      const network = sandboxNetwork(chain, baseUrl, fetch)
      return chain === LIGHTNING ? sandboxLightning(network, clock) : network
    },
    sourceKinds: sandboxSources,
    address: sandboxAddress,
  }
}

/**
 * True for a request to PayPal without a body: PayPal accepts that if there is nothing to say, also as JSON.
 */
const saysNothing = ({ url, body }: Request): boolean =>
  body === null && new URL(url).pathname.startsWith('/sandbox/paypal/')

const page =
  (pageOf: SandboxParts['pageOf']) =>
  (parts: { title: string; body: Html }): Response =>
    pageResponse(pageOf(parts))

/** The numbers of the requests that are refused: a shop's server is down now and then. */
const refused = [9, 20, 34]

/** Stands in for the shop's server, which gets the demo's events, and for ntfy. */
function receiverRoutes() {
  let requests = 0
  return new Elysia({ normalize: false })
    .post('/ntfy', () => ({ event: 'message' }))
    .post('/webhook', ({ set }) => {
      requests++
      if (!refused.includes(requests)) return { received: true }
      set.status = 503
      return { received: false, reason: 'The shop is being updated. Try again in a minute.' }
    })
}
