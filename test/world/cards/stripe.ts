import { createHmac } from 'node:crypto'
import type { Session } from '../../../src/sandbox/stripe/payments.ts'
import { stripeStandIn } from '../../../src/sandbox/stripe/stripe.ts'
import {
  type CardEvent,
  type CardPage,
  type CardService,
  PAGES,
  type Press,
  type ServiceParts,
  sendForm,
  withAmount,
} from './service.ts'

const CARD = '4242424242424242'
const REFUSED_CARD = '4000000000000002'

interface Endpoint {
  secret: string
}

interface Refund {
  id: string
  intent: string
  amount: number
}

const buttons: Record<Press, { by: string; card: string }> = {
  card: { by: 'card', card: CARD },
  refused: { by: 'card', card: REFUSED_CARD },
  debit: { by: 'debit', card: '' },
  'debit-paid': { by: 'arrive', card: '' },
  'debit-returned': { by: 'return', card: '' },
  dispute: { by: 'dispute', card: '' },
}

function stateOf(
  { status, payment_status: paid, intent, expires_at }: Session,
  now: number,
): CardPage['state'] {
  if (paid === 'paid') return 'paid'
  if (intent?.status === 'processing') return 'pending'
  return status === 'open' && expires_at * 1000 > now ? 'open' : 'over'
}

const signatureOf = ({ headers, body }: CardEvent, secret: string): string => {
  const [, time = ''] = /^t=([0-9]+),/.exec(headers['stripe-signature'] ?? '') ?? []
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

const signed = (event: CardEvent, secret: string): CardEvent => ({
  ...event,
  headers: { ...event.headers, 'stripe-signature': signatureOf(event, secret) },
})

export const stripeService = (parts: ServiceParts): CardService => {
  const { state, clock, deliver } = parts
  const sessions = () => state.list<Session>('stripe.session')

  /** Changes an event of the test mode to the live mode, and signs it again. */
  function toLive(event: CardEvent): CardEvent {
    const endpoints = state.list<Endpoint>('stripe.endpoint')
    const own = endpoints.find(
      ({ secret }) => signatureOf(event, secret) === event.headers['stripe-signature'],
    )
    const body = event.body.replaceAll('"livemode": false', '"livemode": true')
    return signed({ ...event, body }, own?.secret ?? '')
  }

  const { routes } = stripeStandIn({
    ...parts,
    ...{ deliver: event => deliver(toLive(event)), pageOf: ({ title }) => title, publicUrl: PAGES },
  })
  const service: CardService = {
    ...{ name: 'stripe', host: 'api.stripe.com', root: '/stripe' },
    handle: async request => routes.handle(request),
    toTest: authorization => authorization.replace('_live_', '_test_'),
    toLive: answer => answer.replaceAll('"livemode":false', '"livemode":true'),
    inPart: (answer, minor) => withAmount(answer, /"amount_received":/, minor),
    pageIn: path => /[/](cs_test_[a-z0-9]+)/.exec(path)?.[1] ?? null,
    takingOf: () => null,
    pageAt: location => /[/](cs_test_[a-z0-9]+)$/.exec(location)?.[1] ?? null,
    find(id) {
      const session = state.get<Session>('stripe.session', id)
      if (session === null) return null
      const isDisputed = session.intent?.disputed === true
      return { id, state: stateOf(session, clock()), minor: session.amount_total, isDisputed }
    },
    press: (id, what) => sendForm(service, `/stripe/pay/${id}`, buttons[what]),
    async refund(id, minor) {
      const session = state.get<Session>('stripe.session', id)
      if (!session?.intent) return
      const body = new URLSearchParams({ payment_intent: session.intent.id, amount: `${minor}` })
      const headers = { authorization: `Bearer ${session.account.replace('acct_', 'rk_test_')}_1` }
      await service.handle(new Request(`${PAGES}/stripe/v1/refunds`, { method: 'POST', headers, body }))
    },
    refunds: () =>
      state.list<Refund>('stripe.refund').flatMap(({ id, intent, amount: minor }) => {
        const page = sessions().find(one => one.intent?.id === intent)?.id
        return page === undefined ? [] : [{ id, page, minor }]
      }),
    forge: event => signed(event, 'whsec_wrong'),
    claim(id) {
      const metadata = { florin_attempt: 'any' }
      const object = { id, object: 'checkout.session', status: 'complete', payment_status: 'paid', metadata }
      const event = { id: 'evt_1', object: 'event', type: 'checkout.session.completed', livemode: true }
      const body = JSON.stringify({ ...event, data: { object } })
      const time = Math.floor(clock() / 1000)
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=` }
      return signed({ url: '', body, headers }, 'whsec_wrong')
    },
  }
  return service
}
