import type { Funding, Order } from '../../../src/sandbox/paypal/orders.ts'
import { payPalStandIn } from '../../../src/sandbox/paypal/paypal.ts'
import type { Dispute, Refund } from '../../../src/sandbox/paypal/reversals.ts'
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
  type Taking,
  withAmount,
} from './service.ts'

const buttons: Record<Press, string> = {
  card: 'balance',
  refused: 'declined',
  debit: 'echeck',
  'debit-paid': 'COMPLETED',
  'debit-returned': 'DECLINED',
  dispute: 'CANCELED_BY_BUYER',
}
const JSON_TYPE = { 'content-type': 'application/json' }
/** The outcome of capturing an approved payment, by the buyer's source of funds. */
const outcomes: Record<Funding, Taking['what']> = {
  balance: 'charged',
  echeck: 'pending',
  declined: 'failed',
}
const SECRET = 'E'.padEnd(40, 'y')

const accountOf = (shop: number): string => `WORLDSHOPNUM${shop}`
const clientOf = (account: string): string => account.padEnd(40, 'x')

/** The keys of the account of a shop. */
export const payPalKeysOf = (shop: number) => ({ clientId: clientOf(accountOf(shop)), key: SECRET })

function stateOf({ status, capture }: Order): CardPage['state'] {
  if (status === 'APPROVED') return 'approved'
  if (capture === null) return 'open'
  if (capture.status === 'PENDING') return 'pending'
  return capture.status === 'COMPLETED' ? 'paid' : 'over'
}

export const payPalService = (parts: ServiceParts): CardService => {
  const { state } = parts
  const { routes } = payPalStandIn({ ...parts, pageOf: ({ title }) => title, publicUrl: PAGES })
  const find = (id: string): Order | null => state.get<Order>('paypal.order', id)

  /** Gets an access token, as the shop itself does. */
  async function tokenOf(account: string): Promise<string> {
    const authorization = `Basic ${btoa(`${clientOf(account)}:${SECRET}`)}`
    const answer = await service.handle(
      new Request(`${PAGES}/paypal/v1/oauth2/token`, { method: 'POST', headers: { authorization } }),
    )
    const { access_token: token } = (await answer.json()) as { access_token: string }
    return `Bearer ${token}`
  }

  const event = (type: string, resource: object): string =>
    JSON.stringify({ id: 'WH-1', event_type: type, resource })

  const service: CardService = {
    ...{ name: 'paypal', host: 'api-m.paypal.com', root: '/paypal' },
    handle: async request => routes.handle(request),
    toTest: authorization => authorization,
    toLive: answer => answer,
    inPart: (answer, minor) => withAmount(answer, /"captures":\[\{.*?"value":"/, minor),
    pageIn: path => /[/]orders[/]([0-9A-F]{16})$/.exec(path)?.[1] ?? null,
    takingOf(path) {
      const [, page = ''] = /[/]orders[/]([0-9A-F]{16})[/]capture$/.exec(path) ?? []
      const order = find(page)
      return order?.status === 'APPROVED' ? { page, what: outcomes[order.funding] } : null
    },
    pageAt: location => /checkoutnow[?]token=([0-9A-F]{16})$/.exec(location)?.[1] ?? null,
    find(id) {
      const order = find(id)
      if (order === null) return null
      const disputes = state.list<Dispute>('paypal.dispute')
      const isDisputed = disputes.some(({ capture }) => capture === order.capture?.id)
      return { id, state: stateOf(order), minor: minorIn(order.amount.value), isDisputed }
    },
    press: (id, what) => sendForm(service, `/paypal/checkoutnow?token=${id}`, { do: buttons[what] }),
    async refund(id, minor) {
      const order = find(id)
      if (!order?.capture) return
      const { currency_code } = order.amount
      const amount = { currency_code, value: decimalIn(minor, currency_code) }
      const path = `/paypal/v2/payments/captures/${order.capture.id}/refund`
      await sendJson(service, path, await tokenOf(order.account), { amount })
    },
    refunds: () =>
      state
        .list<Refund>('paypal.refund')
        .map(({ id, order: page, amount }) => ({ id, page, minor: minorIn(amount.value) })),
    // Florin does not rely on signatures but on look-ups, so a stranger can send an event about any order.
    forge: one => ({ ...one, body: event('CHECKOUT.ORDER.APPROVED', { id: '0123456789ABCDEF' }) }),
    claim: id => ({
      body: event('PAYMENT.CAPTURE.COMPLETED', {
        ...{ id: 'ABCDEF0123456789', status: 'COMPLETED' },
        supplementary_data: { related_ids: { order_id: id } },
      }),
      headers: JSON_TYPE,
    }),
  }
  return service
}
