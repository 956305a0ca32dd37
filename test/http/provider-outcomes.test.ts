import { describe, expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { orderProblems } from './expected-shapes.ts'
import { openProvider, simulated, startGatewayApp } from './paygate.ts'
import {
  attemptsOf,
  eventTypesOf,
  getOrder,
  givenCoinShop,
  notificationsOf,
  openOnly,
  unmatchedOf,
} from './payments.ts'
import { countOf, rowsOf } from './rows.ts'

const { app, each } = suite({ start: startGatewayApp })
const shop = each(async () => {
  const made = await givenCoinShop(app, '2.5')
  await changeMerchant(app.context, made.id, { cryptoFirst: 'provider' })
  return made
})

const [WHOLE, TWICE] = ['what is due', 'twice of it']
const ways = [
  ['on a page of the provider', 'stripe', openProvider, { [WHOLE]: '25', [TWICE]: '50' }],
  [
    'to an address of the provider',
    'crypto',
    (app, id) => openOnly(app, id, 'ltc'),
    { [WHOLE]: '0.3125', [TWICE]: '0.625' },
  ],
] as const satisfies [string, string, typeof openProvider, Record<string, string>][]

/** The gateway's steps, the answers to its callbacks, and the final status of the attempt. */
const outcomes: [
  sentence: string,
  outcomes: string,
  callbacks: string,
  state: string,
  verdict?: string | null,
  received?: string | null,
  unmatched?: string,
][] = [
  ['a payment that is seen only', 'pending', '', 'waiting'],
  ['a forged callback', 'forged', '403', 'waiting'],
  ['a duplicate of no callback', 'duplicate', '', 'waiting'],
  ['half of the amount', 'underpaid', '200', 'underpaid'],
  ['another asset', 'wrong_asset', '200', 'waiting', null, null, 'wrong_asset'],
  ['the amount', 'paid', '200', 'settled', 'exact', WHOLE],
  ['twice the amount', 'overpaid', '200', 'settled', 'over', TWICE],
  ['the amount after a pending payment', 'pending paid', '200', 'settled', 'exact'],
  ['the amount after a forgery', 'forged paid', '403 200', 'settled', 'exact'],
  ['two halves', 'underpaid underpaid', '200 200', 'settled', 'exact', WHOLE],
  [
    'the amount and its callback three times',
    'paid duplicate duplicate',
    '200 200 200',
    'settled',
    'exact',
    WHOLE,
  ],
  ['the amount and a forgery after it', 'paid forged', '200 403', 'settled', 'exact'],
  ['the amount twice', 'paid paid', '200 200', 'settled', 'exact', WHOLE, 'second_payment'],
]

const listOf = <T>(value: T | null | undefined | false): T[] => (value ? [value] : [])

describe.each([...ways])('%s', (_, method, open, amounts: Record<string, string>) => {
  test.each(outcomes)('%s leaves the order in the right state', async (...row) => {
    const [, inTurn, statuses, state, verdict, received, unmatched] = row
    const { orderUUID: id } = await givenOrder(app, shop, { paymentMethodsKeys: [method] })
    await open(app, id)
    const callbacks: number[] = []
    for (const outcome of inTurn.split(' ')) callbacks.push(...(await simulated(app, id, outcome)))
    expect(callbacks.join(' ')).toBe(statuses)
    expect(attemptsOf(app, id)).toMatchObject([{ state }])
    expect(unmatchedOf(app, id)).toEqual(listOf(unmatched && `${unmatched} open`))
    expect(notificationsOf(app, id)).toEqual([
      ...listOf(verdict === 'over' && 'payment_over'),
      ...listOf(unmatched && 'unmatched_payment'),
    ])
    const found = await getOrder(app, shop, id)
    expect([orderProblems(found), found.status]).toEqual([[], verdict ? 'PAID' : 'UNPAID'])
    if (received) expect(found.receivedAmount).toBe(amounts[received])
    const settlements = rowsOf(app, 'SELECT verdict FROM settlements WHERE order_id = ?', id)
    expect(settlements).toEqual(listOf(verdict).map(known => ({ verdict: known })))
    expect(countOf(app, 'transactions', id)).toBe(settlements.length)
    expect(eventTypesOf(app, id)).toEqual(settlements.map(() => 'order.paid'))
  })
})
