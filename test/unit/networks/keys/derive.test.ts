import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { registry } from '../../../../src/coins/registry.ts'
import { scripts } from '../../../../src/domain/address-source.ts'
import type { WalletNetwork } from '../../../../src/domain/asset.ts'
import { formsOf } from '../../../../src/networks/keys/address-forms.ts'
import { KeyError } from '../../../../src/networks/keys/private-key-check.ts'
import { alternatives, deriveAddress, isAddress } from '../../../support/known-coins.ts'
import { accounts, publicVersions, root, withVersion, xpubOf } from './published.ts'

const LAST = 2 ** 31 - 1

describe('a derived address', () => {
  test('is not derived at an index out of range', () => {
    for (const index of [-1, 0.5, 2 ** 31, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => deriveAddress('btc', xpubOf('btc'), 'p2wpkh', index)).toThrow('Assertion failed')
  })

  test('is not derived from a key that was not read first', () => {
    const key = xpubOf('btc')
    expect(() => deriveAddress('btc', `${key.slice(0, -1)}`, 'p2wpkh', 0)).toThrow(KeyError)
    expect(() => deriveAddress('solana', key, null, 0)).toThrow(KeyError)
    expect(() => deriveAddress('btc', key, null, 0)).toThrow('Assertion failed')
    expect(() => deriveAddress('doge', key, null, 0)).toThrow('Assertion failed')
    expect(() => deriveAddress('doge', key, 'p2wpkh', 0)).toThrow(KeyError)
    expect(() => deriveAddress('evm', key, 'p2pkh', 0)).toThrow(KeyError)
    expect(() => deriveAddress('btc', withVersion(key, publicVersions.zpub), 'p2pkh', 0)).toThrow(KeyError)
  })

  test.each(accounts)('$network $path has the published ones', ({ network, key, script, addresses }) => {
    const derived = addresses.map((_, index) => deriveAddress(network, key, script, index))
    expect(derived).toEqual([...addresses])
  })

  test('is the same whatever prefix the account is written with', () => {
    const derived = (key: string) => deriveAddress('ltc', key, 'p2wpkh', 5)
    const xpub = xpubOf('ltc', 'p2wpkh')
    expect(derived(withVersion(xpub, publicVersions.zpub))).toBe(derived(xpub))
    expect(derived(withVersion(xpub, publicVersions.Ltub))).toBe(derived(xpub))
  })

  test('is that of the private key at the same index, up to the last', () => {
    const indices = fc.oneof(fc.constantFrom(0, 1, LAST), fc.integer({ min: 0, max: LAST }))
    fc.assert(
      fc.property(fc.constantFrom(...accounts), indices, ({ network, path, key, script }, index) => {
        const child = root.derive(`${path}/0/${index}`)
        expect(child.privateKey).not.toBeNull()
        const forms = formsOf(registry.wallet(network).address)
        const form = forms.find(candidate => candidate.script === script)!
        expect(deriveAddress(network, key, script, index)).toBe(form.encode(child.publicKey!))
      }),
      { numRuns: 60 },
    )
  })

  test('is accepted by its network, and no two are the same', () => {
    for (const { network, key, script } of accounts) {
      const derived = Array.from({ length: 20 }, (_, index) => deriveAddress(network, key, script, index))
      expect(new Set(derived).size).toBe(20)
      expect(derived.filter(address => !isAddress(network, address))).toEqual([])
    }
  })

  test('is right for more keys than the cache holds', () => {
    const keys = Array.from({ length: 120 }, (_, index) => root.derive(`m/84'/0'/${index}'`))
    const first = () =>
      keys.map(({ publicExtendedKey }) => deriveAddress('btc', publicExtendedKey, 'p2wpkh', 0))
    const addresses = first()
    expect(new Set(addresses).size).toBe(120)
    expect(addresses[0]).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
    expect(first()).toEqual(addresses)
  })

  test('is cheap after the first address of its account', () => {
    const key = xpubOf('evm')
    deriveAddress('evm', key, null, 0)
    const before = process.cpuUsage()
    for (let index = 0; index < 200; index++) deriveAddress('evm', key, null, index)
    expect(process.cpuUsage(before).user / 200).toBeLessThan(10_000)
  })
})

describe('the first addresses with other scripts', () => {
  test('do not exist if the prefix of the key or its network allows only one script', () => {
    const hasChoice = (network: WalletNetwork) => {
      const rules = registry.wallet(network).address
      return rules.kind === 'bitcoin' && rules.segwit !== null
    }
    for (const { network, key, script } of accounts)
      if (!key.startsWith('xpub') || !hasChoice(network))
        expect(alternatives(network, key, script)).toEqual([])
  })

  test('are one for each script, which can be named', () => {
    for (const network of ['btc', 'ltc'] as const) {
      const key = xpubOf(network)
      const own = scripts.filter(script => script !== 'p2tr' || network === 'btc')
      for (const script of own) {
        const others = alternatives(network, key, script)
        expect(others.map(other => other.script).sort()).toEqual(own.filter(other => other !== script).sort())
        for (const other of others) expect(other.address).toBe(deriveAddress(network, key, other.script, 0))
      }
    }
  })

  test('include what an older wallet shows for a key that is used for segwit by default', () => {
    expect(alternatives('btc', xpubOf('btc', 'p2pkh'), 'p2wpkh')).toContainEqual({
      script: 'p2pkh',
      address: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
    })
  })
})
