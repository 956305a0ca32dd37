import { Elysia } from 'elysia'
import { runOnce } from '../json-api.ts'
import type { Outcome } from '../outcomes.ts'
import type { ProviderParts } from '../provider-parts.ts'
import type { State } from '../state.ts'
import { type Caller, callerOf, digestOf, type Endpoint, openEndpoints } from './accounts.ts'
import { hostedPages } from './page.ts'
import { disputeJson, refundJson, StripePayments } from './payments.ts'
import { type Form, listOf, missing, StripeError } from './wire.ts'

const endpointJson = ({ account: _, secret, ...rest }: Endpoint, isNew = false) => ({
  object: 'webhook_endpoint',
  livemode: false,
  status: 'enabled',
  ...rest,
  ...(isNew && { secret }),
})

const accountJson = (id: string) => ({
  ...{ id, object: 'account', charges_enabled: true },
  settings: { dashboard: { display_name: id.replace('acct_', '') } },
})

/** A request to the API. */
interface Asked {
  caller: Caller
  request: Request
  form: Form
  id: string
}

interface Books {
  state: State
  payments: StripePayments
  endpoints: ReturnType<typeof openEndpoints>
  publicUrl: string
  /** the idempotency keys of requests that are being carried out */
  running: Set<string>
}

type Handlers = Record<string, (of: Asked) => Promise<object> | object>

/** Answers a repeated request with the first answer, as Stripe does for an idempotency key. */
async function once(
  { state, running }: Books,
  { caller, request, form }: Asked,
  make: () => Promise<object> | object,
) {
  const key = request.headers.get('idempotency-key')
  if (key === null) return make()
  const id = `${caller.account} ${key}`
  const known = state.get<{ json: object; digest: string }>('stripe.request', id)
  const digest = digestOf(form)
  if (known && known.digest !== digest) {
    const message = 'Keys for idempotent requests can only be used with the same parameters.'
    throw new StripeError(400, 'idempotency_error', '', message)
  }
  if (known) return known.json
  const store = async () => {
    const json = await make()
    state.put('stripe.request', id, { json, digest })
    return json
  }
  const message = 'There is currently another in-progress request using this idempotency key.'
  return runOnce(
    running,
    id,
    store,
    () => new StripeError(409, 'idempotency_error', 'idempotency_key_in_use', message),
  )
}

interface Row {
  id: string
  account: string
  intent: string
  created: number
}

/** Returns a test for the rows of a requested list: of one payment, or of an account since a time. */
function isAsked({ request, caller }: Asked): (row: Row) => boolean {
  const query = new URL(request.url).searchParams
  const [intent, since] = [query.get('payment_intent'), Number(query.get('created[gte]') ?? 0)]
  return row =>
    row.account === caller.account && row.created >= since && (intent === null || row.intent === intent)
}

/** A page of rows, the newest first. */
function pageOf<T extends Row>({ request }: Asked, path: string, rows: T[], toJson: (row: T) => object) {
  const query = new URL(request.url).searchParams
  const sorted = rows.toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1))
  const from = sorted.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const to = from + Number(query.get('limit') ?? 10)
  return { ...listOf(path, sorted.slice(from, to).map(toJson)), has_more: to < sorted.length }
}

function sessionHandlers(books: Books): Handlers {
  const { payments, publicUrl } = books
  const jsonOf = (id: string, account: string, isExpanded = false) => {
    const session = payments.require(account, id)
    const url = session.status === 'open' ? `${publicUrl}/sandbox/stripe/pay/${id}` : null
    return { ...payments.sessionJson(session, isExpanded), url }
  }
  return {
    'POST checkout/sessions': of =>
      once(books, of, () => jsonOf(payments.create(of.caller.account, of.form).id, of.caller.account)),
    'GET checkout/sessions/$': ({ caller, request, id }) =>
      jsonOf(id, caller.account, new URL(request.url).searchParams.size > 0),
    async 'POST checkout/sessions/$/expire'({ caller: { account }, id }) {
      await payments.expire(account, id)
      return jsonOf(id, account)
    },
  }
}

function otherHandlers(books: Books): Handlers {
  const { payments, endpoints } = books
  return {
    'GET account': ({ caller: { account } }) => accountJson(account),
    'POST refunds': of =>
      once(books, of, async () => refundJson(await payments.refund(of.caller.account, of.form))),
    'GET refunds/$': ({ caller: { account }, id }) => refundJson(payments.requireRefund(account, id)),
    'GET refunds': of => pageOf(of, '/v1/refunds', payments.refunds(isAsked(of)), refundJson),
    'GET disputes': of => pageOf(of, '/v1/disputes', payments.disputes(isAsked(of)), disputeJson),
    'GET payment_intents': () => listOf('/v1/payment_intents', []),
    'GET webhook_endpoints': ({ caller }) =>
      listOf(
        '/v1/webhook_endpoints',
        endpoints.of(caller.account).map(one => endpointJson(one)),
      ),
    'POST webhook_endpoints': ({ caller, form }) => endpointJson(endpoints.make(caller, form), true),
    'DELETE webhook_endpoints/$'({ caller, id }) {
      if (!endpoints.remove(caller.account, id)) throw missing('webhook_endpoint', id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  }
}

async function answer(handlers: Handlers, request: Request, body: unknown): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^.*\/stripe\/v1\//, '')
  const [, id = ''] = /\/([a-z]+_[A-Za-z0-9_]+)/.exec(path) ?? []
  const handle = handlers[`${request.method} ${path.replace(id, id && '$')}`]
  try {
    const caller = callerOf(request)
    if (!handle)
      throw new StripeError(404, 'invalid_request_error', '', `Unrecognized request URL (${path}).`)
    return Response.json(await handle({ caller, request, id, form: (body ?? {}) as Form }))
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return Response.json(error.toJson(), { status: error.status })
  }
}

/**
 * Simulates Stripe: its API under /stripe/v1, for any test key, and its payment pages under /stripe/pay. The
 * state survives a restart.
 */
export function stripeStandIn({ state, clock, random, isDown, deliver, pageOf, publicUrl }: ProviderParts) {
  const newId = (prefix: string): string => `${prefix}${Buffer.from(random(12)).toString('hex')}`
  const endpoints = openEndpoints(state, clock, newId)
  const payments = new StripePayments({ state, clock, newId, endpoints, deliver })

  const books = { state, payments, endpoints, publicUrl, running: new Set<string>() }
  /** The handlers of the API, by method and path. `$` stands for an ID. */
  const handlers = { ...sessionHandlers(books), ...otherHandlers(books) }
  const api = new Elysia()
    .get('/stripe/v1/*', ({ request }) => answer(handlers, request, null))
    .post('/stripe/v1/*', ({ request, body }) => answer(handlers, request, body))
    .delete('/stripe/v1/*', ({ request }) => answer(handlers, request, null))

  const routes = new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .use(api)
    .use(hostedPages(payments, pageOf))
  return {
    routes,
    /** Pays an open session. Returns the statuses of the callbacks; null if the outcome cannot happen. */
    async simulate(id: string, outcome: Outcome): Promise<number[] | null> {
      const session = payments.current(id)
      if (session?.status !== 'open') return null
      if (outcome === 'paid') return payments.pay(session, { card: '4242424242424242' })
      return outcome === 'pending' ? payments.pay(session, 'debit') : null
    },
  }
}
