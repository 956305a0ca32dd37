import { mollieStandIn } from '../../../src/sandbox/mollie/mollie.ts'
import type { Payment } from '../../../src/sandbox/mollie/payments.ts'
import type { Chargeback, Refund } from '../../../src/sandbox/mollie/reversals.ts'
import {
  type CardPage,
  type CardService,
  decimalIn,
  minorIn,
  PAGES,
  type Press,
  type ServiceParts,
  sendForm,
  sendJson,
  withAmount,
} from './service.ts'

const buttons: Record<Press, string> = {
  card: 'paid',
  refused: 'failed',
  debit: 'pending',
  'debit-paid': 'paid',
  'debit-returned': 'failed',
  dispute: 'chargeback',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const KEY_END = 'k'.repeat(22)

export const mollieKeyOf = (shop: number): string => `live_shopnum${shop}${KEY_END}`

function stateOf({ status, expiresAt }: Payment, now: number): CardPage['state'] {
  if (status === 'open') return expiresAt > now ? 'open' : 'over'
  return status === 'paid' || status === 'pending' ? status : 'over'
}

export const mollieService = (parts: ServiceParts): CardService => {
  const { state, clock } = parts
  const { routes } = mollieStandIn({ ...parts, pageOf: ({ title }) => title, publicUrl: PAGES })
  const service: CardService = {
    ...{ name: 'mollie', host: 'api.mollie.com', root: '/mollie' },
    handle: async request => routes.handle(request),
    toTest: authorization => authorization.replace('live_', 'test_'),
    toLive: answer => answer.replaceAll('"mode":"test"', '"mode":"live"'),
    inPart: (answer, minor) => withAmount(answer, /"amount":\{"value":"/, minor),
    pageIn: path => /[/]payments[/](tr_[a-f0-9]+)$/.exec(path)?.[1] ?? null,
    takingOf: () => null,
    pageAt: location => /[/]mollie[/]pay[/](tr_[a-f0-9]+)$/.exec(location)?.[1] ?? null,
    find(id) {
      const payment = state.get<Payment>('mollie.payment', id)
      if (payment === null) return null
      const isDisputed = state.list<Chargeback>('mollie.chargeback').some(one => one.payment === id)
      return { id, state: stateOf(payment, clock()), minor: minorIn(payment.amount.value), isDisputed }
    },
    press: (id, what) => sendForm(service, `/mollie/pay/${id}`, { status: buttons[what] }),
    async refund(id, minor) {
      const payment = state.get<Payment>('mollie.payment', id)
      if (payment === null) return
      const { currency } = payment.amount
      const amount = { value: decimalIn(minor, currency), currency }
      const key = `Bearer ${payment.account.replace('pfl_', 'test_')}${KEY_END}`
      await sendJson(service, `/mollie/v2/payments/${id}/refunds`, key, { amount })
    },
    refunds: () =>
      state
        .list<Refund>('mollie.refund')
        .map(({ id, payment: page, amount }) => ({ id, page, minor: minorIn(amount.value) })),
    // Mollie does not sign webhooks, so a stranger can send one about any payment.
    forge: event => ({ ...event, body: 'id=tr_0123456789abcdef' }),
    claim: id => ({ body: `id=${id}`, headers: FORM }),
  }
  return service
}
