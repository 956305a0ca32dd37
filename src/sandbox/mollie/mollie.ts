import { Elysia } from 'elysia'
import { currencyDecimals } from '../../domain/currency.ts'
import { answering, type Handlers } from '../json-api.ts'
import type { Outcome } from '../outcomes.ts'
import type { ProviderParts } from '../provider-parts.ts'
import { hostedPages } from './page.ts'
import { MollieError, type MolliePayments, openPayments, type Payment, type Sum } from './payments.ts'
import { type Chargeback, type MollieReversals, openReversals, REFUND_MS, type Refund } from './reversals.ts'

const unprocessable = (detail: string, field: string): MollieError =>
  new MollieError(422, 'Unprocessable Entity', detail, field)

/** Any test key works. Keys with the same first eight characters after `test_` are of one profile. */
const keyFormat = /^test_([A-Za-z0-9]{8})[A-Za-z0-9]{12,}$/

function accountOf(request: Request): string {
  const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const [, account] = keyFormat.exec(key) ?? []
  if (account !== undefined) return `pfl_${account}`
  throw new MollieError(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate')
}

/** The methods of a profile. A profile whose name begins with `de` has the methods of a shop in Germany. */
const methodsOf = (account: string): string[] =>
  account.startsWith('pfl_de') ? ['creditcard', 'paypal', 'klarna', 'banktransfer'] : ['ideal', 'creditcard']

/** Reads an amount, which must have exactly the decimals of its currency. */
function sumIn(given: unknown): Sum {
  const { value, currency } = (given ?? {}) as Partial<Sum>
  const decimals = currencyDecimals(String(currency))
  const form = decimals ? new RegExp(`^[0-9]+[.][0-9]{${decimals}}$`) : /^[0-9]+$/
  if (decimals === undefined) throw unprocessable('The currency is not supported', 'amount.currency')
  if (!form.test(String(value))) throw unprocessable('The amount contains an invalid value', 'amount.value')
  return { value: String(value), currency: String(currency) }
}

function urlIn(given: unknown, field: string): string | null {
  if (given === undefined || given === null) return null
  if (URL.canParse(String(given))) return String(given)
  throw unprocessable(`The ${field} is invalid`, field)
}

const listOf = (name: string, rows: readonly object[], next: string | null = null) => ({
  ...{ count: rows.length, _embedded: { [name]: rows } },
  _links: {
    self: { href: 'https://api.mollie.com/v2/', type: 'application/hal+json' },
    previous: null,
    next: next && { href: `https://api.mollie.com/v2/${name}?from=${next}`, type: 'application/hal+json' },
  },
})

/** A page of a list, which begins with the newest. */
function pageOf(name: string, rows: readonly { id: string; createdAt: string }[], query: URLSearchParams) {
  const newest = rows.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  const at = Math.max(
    0,
    newest.findIndex(({ id }) => id === query.get('from')),
  )
  const end = at + Number(query.get('limit') ?? 50)
  return listOf(name, newest.slice(at, end), newest[end]?.id)
}

const refundJson = ({ payment, sentAt, ...rest }: Refund) => ({
  resource: 'refund',
  createdAt: new Date(sentAt - REFUND_MS).toISOString(),
  ...rest,
  paymentId: payment,
})
const chargebackJson = ({ payment, ...rest }: Chargeback) => ({
  resource: 'chargeback',
  ...rest,
  paymentId: payment,
})

interface Books {
  payments: MolliePayments
  reversals: MollieReversals
  publicUrl: string
}

/** The handlers of the API, by method and path. `$` stands for an ID. */
function handlersOf({ payments, reversals, publicUrl }: Books): Handlers {
  const paymentJson = ({ account, expiresAt, ...rest }: Payment, embed = '') => ({
    ...{ resource: 'payment', mode: 'test', sequenceType: 'oneoff', isCancelable: false, profileId: account },
    ...{ ...rest, expiresAt: new Date(expiresAt).toISOString() },
    _links: {
      ...(rest.status === 'open' && {
        checkout: { href: `${publicUrl}/sandbox/mollie/pay/${rest.id}`, type: 'text/html' },
      }),
    },
    ...(embed !== '' && {
      _embedded: {
        ...(embed.includes('refunds') && { refunds: reversals.refundsOf(rest.id).map(refundJson) }),
        ...(embed.includes('chargebacks') && {
          chargebacks: reversals.chargebacksOf(rest.id).map(chargebackJson),
        }),
      },
    }),
  })

  return {
    'GET profiles/me': ({ account: id }) => ({
      ...{ resource: 'profile', id, mode: 'test', status: 'verified' },
      name: id.replace('pfl_', ''),
    }),
    'GET methods': ({ account }) =>
      listOf(
        'methods',
        methodsOf(account).map(id => ({ resource: 'method', id, description: id, status: 'activated' })),
      ),
    'POST payments': ({ account, body }) => {
      const redirectUrl = urlIn(body.redirectUrl, 'redirectUrl')
      if (typeof body.description !== 'string')
        throw unprocessable('The description is missing', 'description')
      if (redirectUrl === null) throw unprocessable('The redirectUrl is missing', 'redirectUrl')
      const made = payments.create(account, {
        ...{ amount: sumIn(body.amount), description: body.description, redirectUrl },
        ...{
          cancelUrl: urlIn(body.cancelUrl, 'cancelUrl'),
          webhookUrl: urlIn(body.webhookUrl, 'webhookUrl'),
        },
        metadata: body.metadata ?? null,
      })
      return paymentJson(made)
    },
    'GET payments/$': ({ account, id, query }) =>
      paymentJson(payments.require(account, id), query.get('embed') ?? ''),
    'GET payments/$/refunds': ({ account, id }) =>
      listOf('refunds', reversals.refundsOf(payments.require(account, id).id).map(refundJson)),
    'GET refunds': ({ account, query }) =>
      pageOf('refunds', reversals.refundsAt(account).map(refundJson), query),
    'GET chargebacks': ({ account, query }) =>
      pageOf('chargebacks', reversals.chargebacksAt(account).map(chargebackJson), query),
    'DELETE payments/$/refunds/$': async ({ account, id, ids }) => {
      await reversals.endRefund(payments.require(account, id), 'canceled', ids[1])
      return null
    },
    'GET payments/$/chargebacks': ({ account, id }) =>
      listOf('chargebacks', reversals.chargebacksOf(payments.require(account, id).id).map(chargebackJson)),
    'POST payments/$/refunds': async ({ account, id, body }) => {
      const wanted = { amount: sumIn(body.amount), metadata: body.metadata ?? null }
      const payment = payments.require(account, id)
      return refundJson(
        await reversals.refund(payment, { ...wanted, description: String(body.description ?? '') }),
      )
    },
  }
}

/**
 * Simulates Mollie: its API under /mollie/v2, for any test key, and its payment pages under /mollie/pay. The
 * state survives a restart.
 */
export function mollieStandIn({ state, clock, random, isDown, deliver, pageOf, publicUrl }: ProviderParts) {
  const newId = (prefix: string): string => `${prefix}${Buffer.from(random(8)).toString('hex')}`
  const parts = { state, clock, newId, deliver }
  const payments = openPayments(parts)
  const reversals = openReversals(parts, payments)
  const answer = answering({
    ...{ state, kind: 'mollie.request', idempotencyHeader: 'idempotency-key', root: '/mollie/v2/' },
    ...{ id: /(tr|re)_[A-Za-z0-9]+/g, handlers: handlersOf({ payments, reversals, publicUrl }), accountOf },
    notFound: () => new MollieError(404, 'Not Found', 'No such resource.'),
    inProgress: () => new MollieError(409, 'Conflict', 'A request with this idempotency key is in progress.'),
  })

  const routes = new Elysia()
    .onBeforeHandle(() => (isDown() ? new Response('503 Service Unavailable', { status: 503 }) : undefined))
    .get('/mollie/v2/*', ({ request }) => answer(request, null))
    .post('/mollie/v2/*', ({ request, body }) => answer(request, body))
    .delete('/mollie/v2/*', ({ request }) => answer(request, null))
    .use(hostedPages(payments, reversals, pageOf))
  return {
    routes,
    /**
     * Pays an open payment as a script says. Returns the webhooks' statuses; null if the outcome cannot
     * happen.
     */
    async simulate(id: string, outcome: Outcome): Promise<number[] | null> {
      const payment = payments.current(id)
      if (payment?.status !== 'open') return null
      if (outcome === 'paid' || outcome === 'pending' || outcome === 'failed')
        return payments.finish(payment, outcome)
      return null
    },
  }
}
