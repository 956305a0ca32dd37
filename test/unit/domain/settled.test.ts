import { expect, test } from 'bun:test'
import type { Json } from '../../../src/domain/metadata.ts'
import { settledOf } from '../../../src/domain/settled.ts'

const price = { amount: '25.00', currency: 'EUR' }
const worthOf = (verdict: string, evidence: Json) => {
  const { shortfall, excess, worth } = settledOf({ price, verdict, evidence })
  return { shortfall, excess, worth }
}
const known = { value: '12.00' }
const unknown = { value: null }

test.each<
  [
    sentence: string,
    verdict: string,
    evidence: Json,
    shortfall: string | null,
    excess: string | null,
    worth: string | null,
  ]
>([
  ['the exact amount', 'exact', { shortfall: null, excess: null }, null, null, '25.00'],
  ['too little, within the tolerance', 'short', { shortfall: '0.10', excess: null }, '0.10', null, '24.90'],
  ['too much', 'over', { shortfall: null, excess: '5.00' }, null, '5.00', '30.00'],
  [
    'too much, in evidence of an older version',
    'over',
    { credited: '30.00', missing: null },
    null,
    '5.00',
    '30.00',
  ],
  [
    'too little, in evidence of an older version',
    'short',
    { credited: '24.90', missing: '0.10' },
    '0.10',
    null,
    '24.90',
  ],
  [
    'a part that the merchant accepted',
    'accepted',
    { shortfall: '13.00', incomingPayments: [known] },
    '13.00',
    null,
    '12.00',
  ],
  [
    'coins without a rate that were accepted',
    'accepted',
    { shortfall: '25.00', incomingPayments: [unknown] },
    null,
    null,
    null,
  ],
  [
    'coins of which some had no rate',
    'accepted',
    { shortfall: '13.00', incomingPayments: [known, unknown] },
    null,
    null,
    null,
  ],
])('a settlement with %s is worth what arrived', (_, verdict, evidence, shortfall, excess, worth) => {
  expect(worthOf(verdict, evidence)).toEqual({ shortfall, excess, worth })
})
