import { expect, test } from 'bun:test'
import type { SourceKind } from '../../../src/domain/address-source.ts'
import type { Json } from '../../../src/domain/metadata.ts'
import { readOrigin } from '../../../src/networks/address-origin.ts'
import { assets } from '../../../src/networks/assets.ts'
import { sandboxAddress } from '../../../src/sandbox/chain/addresses.ts'
import { addressOf, sourceKinds } from '../../support/known-coins.ts'

const VIEW_KEY = '0f'.repeat(32)
const EVM_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOLANA_WALLET = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'
/** An account off the curve, which has no key to sign with. */
const SOLANA_VAULT = '5ZGPSxMzV9xV5s3Wep73r8k5MsPAtLYs11dGDdknznM5'

const made: [kind: SourceKind, assetId: string, payoutAddress: string][] = [
  ['xpub', 'btc', EVM_WALLET],
  ['viewkey', 'xmr', EVM_WALLET],
  ['pool', 'solana/sol', SOLANA_WALLET],
  ['create2', 'ethereum/eth', EVM_WALLET],
  ['seed', 'solana/sol', SOLANA_WALLET],
  ['shared', 'ethereum/eth', EVM_WALLET],
  ['sandbox', 'ethereum/eth', EVM_WALLET],
]

test.each(made)('the source of a new %s address can be read', (kind, assetId, payoutAddress) => {
  const asset = assets.find(({ id }) => id === assetId)!
  const position = { address: 'address', key: VIEW_KEY, script: null, payoutAddress, index: 7 }
  const make = kind === 'sandbox' ? sandboxAddress : addressOf
  const { source } = make({ attemptId: 'attempt', asset, payoutAddress, kind, position })
  expect(readOrigin(source)).toEqual(source as ReturnType<typeof readOrigin>)
  expect(readOrigin(source).kind).toBe(kind)
})

test.each<[assetId: string, payoutAddress: string | null, kinds: SourceKind[]]>([
  ['solana/sol', SOLANA_WALLET, ['seed', 'pool', 'shared']],
  // Nobody can move tokens from the address of a seed, and nobody can move anything for a wallet without a key.
  ['solana/usdc', SOLANA_WALLET, ['pool', 'shared']],
  ['solana/sol', SOLANA_VAULT, ['pool', 'shared']],
  ['solana/sol', null, ['pool']],
  ['ethereum/usdc', EVM_WALLET, ['xpub', 'pool', 'create2', 'shared']],
  ['ethereum/eth', null, ['xpub', 'pool']],
])('payments in %s to the payout wallet %s can have addresses of these kinds', (id, payoutAddress, kinds) => {
  expect(sourceKinds(assets.find(one => one.id === id)!, payoutAddress)).toEqual(kinds)
})

test('the source of an invoice can be read', () => {
  expect(readOrigin({ kind: 'issued', node: 'any' }).kind).toBe('issued')
})

const invalid: Json[] = [
  null,
  'seed',
  [],
  {},
  { kind: 'other' },
  { kind: 'seed', payout: SOLANA_WALLET },
  { kind: 'create2', salt: '0x00' },
  { kind: 'viewkey', viewKey: 'view key' },
  { kind: 'viewkey', viewKey: VIEW_KEY.toUpperCase() },
]

test.each(invalid.map(source => [JSON.stringify(source), source]))(
  'reading the address source %s is a bug',
  (_, source) => {
    expect(() => readOrigin(source!)).toThrow('known form')
  },
)
