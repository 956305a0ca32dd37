import type { State } from '../state.ts'
import type { openEndpoints } from './accounts.ts'
import { below, type Form, missing, StripeError } from './wire.ts'

const DAY_SECONDS = 24 * 3600
const LIFE_MIN_SECONDS = 30 * 60
const REFUND_SECONDS = 60
/** Cards whose refunds are pending for a while, and the later status of these refunds. */
const slowRefunds: Record<string, Refund['status']> = {
  '4000000000007726': 'succeeded',
  '4000000000005126': 'failed',
}
const DISPUTED_CARD = '4000000000000259'

export interface Session {
  id: string
  account: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  client_reference_id: string | null
  customer_email: string | null
  name: string
  metadata: Form
  success_url: string
  cancel_url: string | null
  created: number
  expires_at: number
  intent: Intent | null
}

interface Intent {
  id: string
  status: 'processing' | 'succeeded' | 'requires_payment_method'
  amount: number
  currency: string
  metadata: Form
  charge: string
  card: string | null
  disputed: boolean
}

interface Refund {
  id: string
  account: string
  intent: string
  amount: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed'
  /** the later status of a pending refund, and the time from which it has it */
  later: { status: Refund['status']; at: number } | null
  metadata: Form
  created: number
}

interface Dispute {
  id: string
  account: string
  intent: string
  amount: number
  currency: string
  status: string
  created: number
}

interface Parts {
  state: State
  clock(): number
  newId(prefix: string): string
  endpoints: ReturnType<typeof openEndpoints>
  /** sends an event, and returns the status of the answer; 0 if there was none */
  deliver(request: { url: string; body: string; headers: Record<string, string> }): Promise<number>
}

/** The sessions, refunds and disputes of all accounts. */
export class StripePayments {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  #seconds = () => Math.floor(this.#parts.clock() / 1000)

  #save(session: Session): Session {
    this.#parts.state.put('stripe.session', session.id, session)
    return session
  }

  /** A session in its present state: an open session may have expired. */
  current(id: string): Session | null {
    const session = this.#parts.state.get<Session>('stripe.session', id)
    if (session?.status !== 'open' || session.expires_at > this.#seconds()) return session
    return this.#save({ ...session, status: 'expired' })
  }

  async #emit(account: string, type: string, object: object): Promise<number[]> {
    const { newId, endpoints, deliver } = this.#parts
    const event = {
      ...{ id: newId('evt_'), object: 'event', type, created: this.#seconds(), livemode: false },
      ...{ api_version: '2026-10-28.endive', pending_webhooks: 1, data: { object } },
    }
    const targets = endpoints.of(account).filter(({ enabled_events }) => enabled_events.includes(type))
    return Promise.all(targets.map(one => deliver(endpoints.signed(one, event))))
  }

  refundsOf(intent: string): Refund[] {
    return this.refunds(one => one.intent === intent)
  }

  refunds(isMeant: (refund: Refund) => boolean): Refund[] {
    return this.#parts.state
      .list<Refund>('stripe.refund')
      .filter(isMeant)
      .map(one => {
        if (one.later === null || one.later.at > this.#seconds()) return one
        const settled = { ...one, status: one.later.status, later: null }
        this.#parts.state.put('stripe.refund', one.id, settled)
        return settled
      })
  }

  requireRefund(account: string, id: string): Refund {
    const known = this.#parts.state.get<Refund>('stripe.refund', id)
    const found = known && this.refundsOf(known.intent).find(one => one.id === id && one.account === account)
    if (!found) throw missing('refund', id)
    return found
  }

  disputesOf(intent: string): Dispute[] {
    return this.disputes(one => one.intent === intent)
  }

  disputes(isMeant: (dispute: Dispute) => boolean): Dispute[] {
    return this.#parts.state.list<Dispute>('stripe.dispute').filter(isMeant)
  }

  #takenOf(intent: string): number {
    const kept = this.refundsOf(intent).filter(({ status }) => status !== 'failed')
    return kept.reduce((sum, { amount }) => sum + amount, 0)
  }

  sessionJson(session: Session, isExpanded = false) {
    const { intent, account: _, name: __, ...rest } = session
    const expanded = isExpanded && intent ? intentJson(intent, this.#takenOf(intent.id)) : null
    return {
      ...{ object: 'checkout.session', livemode: false, mode: 'payment', ui_mode: 'hosted_page' },
      ...rest,
      url: null as string | null,
      payment_intent: expanded ?? intent?.id ?? null,
    }
  }

  /** The session of an account. If the account has no session with this ID, throws as the API does. */
  require(account: string, id: string): Session {
    const session = this.current(id)
    if (session?.account === account) return session
    throw missing('checkout.session', id)
  }

  create(account: string, form: Form): Session {
    const amount = Number(form['line_items[0][price_data][unit_amount]'])
    const expiresAt = Number(form.expires_at ?? this.#seconds() + DAY_SECONDS)
    if (!Number.isSafeInteger(amount) || amount < 50) {
      throw new StripeError(400, 'invalid_request_error', 'amount_too_small', 'The amount is too small.')
    }
    const life = expiresAt - this.#seconds()
    if (!(life >= LIFE_MIN_SECONDS && life <= DAY_SECONDS)) {
      const message = 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.'
      throw new StripeError(400, 'invalid_request_error', 'parameter_invalid', message)
    }
    return this.#save({
      ...{ id: this.#parts.newId('cs_test_'), account, status: 'open', payment_status: 'unpaid' },
      amount_total: amount,
      currency: form['line_items[0][price_data][currency]'] ?? '',
      client_reference_id: form.client_reference_id ?? null,
      customer_email: form.customer_email ?? null,
      name: form['line_items[0][price_data][product_data][name]'] ?? '',
      metadata: below(form, 'metadata'),
      success_url: form.success_url ?? '',
      cancel_url: form.cancel_url ?? null,
      ...{ created: this.#seconds(), expires_at: expiresAt, intent: null },
    })
  }

  async expire(account: string, id: string): Promise<Session> {
    const session = this.require(account, id)
    if (session.status !== 'open') {
      const message = `Only an open Checkout Session can be expired. This one is ${session.status}.`
      throw new StripeError(400, 'invalid_request_error', '', message)
    }
    const expired = this.#save({ ...session, status: 'expired' })
    await this.#emit(account, 'checkout.session.expired', this.sessionJson(expired))
    return expired
  }

  /** The buyer pays: by card at once, or by a debit that takes days. */
  async pay(session: Session, by: { card: string } | 'debit'): Promise<number[]> {
    const isCard = by !== 'debit'
    const intent: Intent = {
      ...{ id: this.#parts.newId('pi_'), status: isCard ? 'succeeded' : 'processing' },
      ...{ amount: session.amount_total, currency: session.currency, metadata: session.metadata },
      ...{ charge: this.#parts.newId('ch_'), card: isCard ? by.card : null },
      disputed: isCard && by.card === DISPUTED_CARD,
    }
    const paid = this.#save({
      ...session,
      status: 'complete',
      payment_status: isCard ? 'paid' : 'unpaid',
      intent,
    })
    const statuses = await this.#emit(session.account, 'checkout.session.completed', this.sessionJson(paid))
    if (intent.disputed) await this.dispute(paid)
    return statuses
  }

  /** The bank pays a debit, or returns it. */
  async finish(session: Session, isPaid: boolean): Promise<number[]> {
    if (session.intent?.status !== 'processing') return []
    const status = isPaid ? ('succeeded' as const) : ('requires_payment_method' as const)
    const payment_status = isPaid ? ('paid' as const) : ('unpaid' as const)
    const done = this.#save({ ...session, payment_status, intent: { ...session.intent, status } })
    const type = `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`
    return this.#emit(session.account, type, this.sessionJson(done))
  }

  async refund(account: string, form: Form): Promise<Refund> {
    const intent = form.payment_intent ?? ''
    const session = this.#parts.state
      .list<Session>('stripe.session')
      .find(one => one.account === account && one.intent?.id === intent)
    if (!session?.intent) throw missing('payment_intent', intent)
    const taken = this.#takenOf(intent)
    const amount = Number(form.amount ?? session.amount_total - taken)
    if (session.payment_status !== 'paid' || !(amount > 0) || amount > session.amount_total - taken) {
      const message = 'Refund amount is greater than unrefunded amount on charge.'
      throw new StripeError(400, 'invalid_request_error', 'charge_already_refunded', message)
    }
    const later = slowRefunds[session.intent.card ?? '']
    const made: Refund = {
      ...{ id: this.#parts.newId('re_'), account, intent, amount, currency: session.currency },
      status: later ? 'pending' : 'succeeded',
      later: later ? { status: later, at: this.#seconds() + REFUND_SECONDS } : null,
      ...{ metadata: below(form, 'metadata'), created: this.#seconds() },
    }
    this.#parts.state.put('stripe.refund', made.id, made)
    await this.#emit(account, 'refund.created', refundJson(made))
    return made
  }

  /** Lets the buyer's bank take the money back, or change its decision. */
  async dispute(session: Session, status = 'needs_response'): Promise<number[]> {
    const { intent, account } = session
    if (!intent) return []
    const [known] = this.disputesOf(intent.id)
    const id = known?.id ?? this.#parts.newId('dp_')
    const sum = { amount: session.amount_total, currency: session.currency }
    const created = known?.created ?? this.#seconds()
    const dispute: Dispute = { id, account, intent: intent.id, ...sum, status, created }
    this.#parts.state.put('stripe.dispute', id, dispute)
    this.#save({ ...session, intent: { ...intent, disputed: true } })
    const type = known ? 'charge.dispute.closed' : 'charge.dispute.created'
    return this.#emit(account, type, disputeJson(dispute))
  }
}

const intentJson = (
  { id, status, amount, currency, metadata, charge, disputed }: Intent,
  refunded: number,
) => ({
  ...{ id, object: 'payment_intent', status, amount, currency, metadata, livemode: false },
  amount_received: status === 'succeeded' ? amount : 0,
  latest_charge: {
    ...{ id: charge, object: 'charge', amount, currency, paid: status === 'succeeded', disputed, metadata },
    ...{ amount_refunded: refunded, refunded: refunded === amount, payment_intent: id },
  },
})

export const refundJson = ({ intent, account: _, later: __, ...rest }: Refund) => ({
  object: 'refund',
  ...rest,
  payment_intent: intent,
})

export const disputeJson = ({ intent, account: _, ...rest }: Dispute) => ({
  object: 'dispute',
  ...rest,
  payment_intent: intent,
  reason: 'fraudulent',
  livemode: false,
})
