import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { readMonero } from '../../../src/networks/addresses/monero.ts'
import { readExtra } from '../../../src/networks/monero/extra.ts'
import { matchOutputs } from '../../../src/networks/monero/match-outputs.ts'
import { readTransaction } from '../../../src/networks/monero/transaction.ts'
import { NetworkError } from '../../../src/networks/port.ts'
import {
  type FakeTransaction,
  merchantOf,
  payment,
  subaddressOf,
  viewScalar,
} from '../../support/monero-payment.ts'
import recorded from '../../support/monero-recorded.json' with { type: 'json' }

const merchant = merchantOf('shop')
const { address } = merchant.own(1)
const spendKeyOf = (of: string): string => bytesToHex(readMonero(of)!.spendKey)

const read = ({ hash, json }: FakeTransaction) => readTransaction(hash, JSON.stringify(json))
const matchedBy = (viewKey: string, transaction: FakeTransaction) =>
  matchOutputs(read(transaction), viewScalar(viewKey))
const amountsAt = (at: string, transaction: FakeTransaction, viewKey = merchant.viewKey) =>
  matchedBy(viewKey, transaction).flatMap(({ spendKey, amount }) =>
    spendKey === spendKeyOf(at) ? [amount] : [],
  )

describe('recorded transactions of monerod', () => {
  const scalar = viewScalar(recorded.viewKey)
  const subaddresses = recorded.subaddresses.map(spendKeyOf)
  const foundIn = (name: keyof typeof recorded.transactions) => {
    const { hash, json } = recorded.transactions[name]
    return matchOutputs(readTransaction(hash, json), scalar).map(({ spendKey, amount, isLocked }) => ({
      subaddress: subaddresses.indexOf(spendKey),
      amount,
      isLocked,
    }))
  }

  test('the wallet has the same subaddresses as the tests derive', () => {
    const { payout, viewKey } = recorded
    const made = recorded.subaddresses.map((_, index) => subaddressOf(payout, viewKey, index + 1))
    expect(made).toEqual(recorded.subaddresses)
  })

  test('a payment to one subaddress is found, and its amount is read', () => {
    expect(foundIn('one')).toEqual([{ subaddress: 0, amount: 1_234_567_890_000n, isLocked: false }])
  })

  test('payments to two subaddresses in one transaction are found with their amounts', () => {
    const found = foundIn('two').toSorted((a, b) => a.subaddress - b.subaddress)
    expect(found.map(({ subaddress, amount }) => [subaddress, amount])).toEqual([
      [1, 777n],
      [2, 888n],
    ])
  })

  test('a payment to an integrated address belongs to the wallet, not to a subaddress', () => {
    const [found] = foundIn('integrated')
    expect([found?.subaddress, found?.amount]).toEqual([-1, 999n])
  })

  test('a locked payment is marked as locked', () => {
    expect(foundIn('locked')).toEqual([{ subaddress: 3, amount: 5555n, isLocked: true }])
  })

  test('nothing is found with another view key', () => {
    for (const { hash, json } of Object.values(recorded.transactions)) {
      expect(matchOutputs(readTransaction(hash, json), viewScalar(merchant.viewKey))).toEqual([])
    }
  })
})

test('an amount that does not match its commitment is not counted', () => {
  expect(amountsAt(address, payment([{ address, amount: 5n }]))).toEqual([5n])
  expect(matchedBy(merchant.viewKey, payment([{ address, amount: 5n, claimed: 500n }]))).toEqual([])
})

test('the commitment of another output does not verify an amount', () => {
  const one = payment([{ address, amount: 5n }])
  one.json.rct_signatures.outPk = payment([{ address, amount: 5n }]).json.rct_signatures.outPk
  expect(matchedBy(merchant.viewKey, one)).toEqual([])
})

test('an output with a wrong view tag is ignored, as wallets ignore it', () => {
  const one = payment([{ address, amount: 5n }])
  const { tagged_key } = one.json.vout[0].target
  tagged_key.view_tag = tagged_key.view_tag === '00' ? '01' : '00'
  expect(matchedBy(merchant.viewKey, one)).toEqual([])
})

test('an output of zero is ignored', () => {
  expect(matchedBy(merchant.viewKey, payment([{ address, amount: 0n }]))).toEqual([])
})

test('the largest possible amount is read', () => {
  const all = 2n ** 64n - 1n
  expect(amountsAt(address, payment([{ address, amount: all }]))).toEqual([all])
})

test('an output counts once, even if its transaction key is written several times', () => {
  const one = payment([{ address, amount: 5n }])
  one.json.extra = [...one.json.extra, ...one.json.extra, 4, 1, ...one.json.extra.slice(1)]
  expect(amountsAt(address, one)).toEqual([5n])
})

test('a key after other fields is found, and a key after invalid bytes is not', () => {
  const secretFields = [2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8, 3, 2, 7, 7, 0xde, 1, 0]
  expect(amountsAt(address, payment([{ address, amount: 5n }], { before: secretFields }))).toEqual([5n])
  for (const before of [
    [0],
    [5],
    [2, 0xff],
    [4, 0xff, 0xff, 0xff, 0xff, 0x0f],
    [2, ...Array(9).fill(0x80)],
  ]) {
    expect(amountsAt(address, payment([{ address, amount: 5n }], { before }))).toEqual([])
  }
})

test('invalid keys, and points of small order, match nothing', () => {
  const small = ['00'.repeat(32), `01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`, 'ff'.repeat(32)]
  for (const hex of small) {
    const one = payment([{ address, amount: 5n }])
    one.json.extra = [1, ...Buffer.from(hex, 'hex')]
    expect(matchedBy(merchant.viewKey, one)).toEqual([])
    const other = payment([{ address, amount: 5n }])
    other.json.vout[0].target.tagged_key.key = hex
    expect(amountsAt(address, other)).toEqual([])
  }
})

test('each of sixteen outputs is found by its own key', () => {
  const amounts = Array.from({ length: 16 }, (_, index) => BigInt(index + 1))
  expect(amountsAt(address, payment(amounts.map(amount => ({ address, amount }))))).toEqual(amounts)
})

test('any bytes in the extra field neither throw nor match', () => {
  const foreign = payment([{ address: merchantOf('other').own(1).address, amount: 5n }])
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), extra => {
      foreign.json.extra = [...extra]
      expect(matchedBy(merchant.viewKey, foreign)).toEqual([])
      const { main, additional } = readExtra(extra)
      expect([...main, ...additional].every(key => key.length === 32)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('any points as keys match no output of another wallet', () => {
  const foreign = payment([{ address: merchantOf('other').own(1).address, amount: 5n }])
  const point = fc.bigInt(1n, ed25519.Point.Fn.ORDER - 1n).map(n => ed25519.Point.BASE.multiply(n).toBytes())
  fc.assert(
    fc.property(fc.array(point, { maxLength: 3 }), point, (main, additional) => {
      foreign.json.extra = [...main.flatMap(key => [1, ...key]), 4, 1, ...additional]
      expect(matchedBy(merchant.viewKey, foreign)).toEqual([])
    }),
    { numRuns: 30 },
  )
})

// biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON, corrupted
const corrupted: [string, (json: any) => void][] = [
  ['a newer version', json => (json.version = 3)],
  ['no version', json => delete json.version],
  ['another kind of ring', json => (json.rct_signatures.type = 7)],
  ['the type of a mined coin', json => (json.rct_signatures.type = 0)],
  ['an unknown kind of output', json => (json.vout[0].target = { carrot_v1: {} })],
  ['a short key', json => (json.vout[0].target.tagged_key.key = 'ab')],
  ['a view tag of two bytes', json => (json.vout[0].target.tagged_key.view_tag = 'abcd')],
  ['a short amount', json => (json.rct_signatures.ecdhInfo[0].amount = 'ab')],
  ['fewer amounts than outputs', json => (json.rct_signatures.ecdhInfo = [])],
  ['more commitments than outputs', json => json.rct_signatures.outPk.push('ab'.repeat(32))],
  ['a commitment that is not a string', json => (json.rct_signatures.outPk[0] = 7)],
  ['an extra field of no bytes', json => (json.extra = [1, 256])],
  ['an extra field that is a string', json => (json.extra = 'ab')],
]

test.each(corrupted)('a transaction with %s is an error, not "nothing arrived"', (_, corrupt) => {
  const one = payment([{ address, amount: 5n }])
  corrupt(one.json)
  expect(() => read(one)).toThrow(NetworkError)
})

test('outputs of the first years are skipped', () => {
  const clear = payment([{ address, amount: 5n }])
  clear.json.version = 1
  delete clear.json.rct_signatures
  expect(matchedBy(merchant.viewKey, clear)).toEqual([])
  const untagged = payment([{ address, amount: 5n }])
  untagged.json.vout[0].target = { key: '00'.repeat(32) }
  expect(matchedBy(merchant.viewKey, untagged)).toEqual([])
})

test('any unlock time marks an output as locked', () => {
  for (const unlockTime of [1, 1_000_000, 1.8446744073709552e19]) {
    const [found] = matchedBy(merchant.viewKey, payment([{ address, amount: 5n }], { unlockTime }))
    expect(found?.isLocked).toBe(true)
  }
})
