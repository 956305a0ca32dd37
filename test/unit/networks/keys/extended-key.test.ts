import { describe, expect, test } from 'bun:test'
import { openKey, readExtendedKey } from '../../../support/known-coins.ts'
import { publicSteps, zeroKeys } from './bip32.ts'
import { accounts, publicVersions, root, withDepth, withVersion } from './published.ts'

const xpub = root.derive("m/84'/0'/0'").publicExtendedKey

describe('the published accounts', () => {
  test.each(accounts)('$network $path is read as its wallet wrote it', ({ network, path, key, script }) => {
    const account = root.derive(path)
    const read = readExtendedKey(network, key, script)
    expect(read).toEqual({
      key,
      script,
      fingerprint: account.fingerprint.toString(16).padStart(8, '0'),
      warnings: [],
    })
    expect(openKey(network, key, script).account.publicExtendedKey).toBe(account.publicExtendedKey)
  })

  test('space around a key is removed', () => {
    expect(readExtendedKey('btc', ` \t${xpub}\r\n`, null).key).toBe(xpub)
  })
})

describe('the script of a key', () => {
  const read = (network: 'btc' | 'ltc', prefix: keyof typeof publicVersions) =>
    readExtendedKey(network, withVersion(xpub, publicVersions[prefix]), null)

  test('is the one that its prefix means', () => {
    expect(read('btc', 'ypub')).toMatchObject({ script: 'p2sh-p2wpkh', warnings: [] })
    expect(read('btc', 'zpub')).toMatchObject({ script: 'p2wpkh', warnings: [] })
    expect(read('ltc', 'ypub')).toMatchObject({ script: 'p2sh-p2wpkh', warnings: [] })
    expect(read('ltc', 'zpub')).toMatchObject({ script: 'p2wpkh', warnings: [] })
    expect(read('ltc', 'Mtub')).toMatchObject({ script: 'p2sh-p2wpkh', warnings: [] })
  })

  test('is native segwit by default, with a warning', () => {
    for (const key of [read('btc', 'xpub'), read('ltc', 'xpub'), read('ltc', 'Ltub')]) {
      expect(key.script).toBe('p2wpkh')
      expect(key.warnings).toEqual([{ kind: 'scriptAssumed', script: 'p2wpkh' }])
    }
  })

  test('is the one that is named', () => {
    for (const script of ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh'] as const)
      expect(readExtendedKey('btc', xpub, script)).toMatchObject({ script, warnings: [] })
  })

  test('is the only one of its network, or none', () => {
    for (const network of ['doge', 'bitcoincash', 'zec'] as const)
      expect(readExtendedKey(network, xpub, null)).toMatchObject({ script: 'p2pkh', warnings: [] })
    for (const network of ['evm', 'trc20'] as const)
      expect(readExtendedKey(network, xpub, null)).toMatchObject({ script: null, warnings: [] })
  })
})

test('a root, or its first child, is accepted as Electrum exports it, with a warning', () => {
  for (const key of [withDepth(xpub, 0, 0), withDepth(xpub, 1)])
    expect(readExtendedKey('btc', key, 'p2pkh').warnings).toMatchObject([{ kind: 'electrumKey' }])
})

describe('BIP32', () => {
  test.each(publicSteps)('public keys derive those of its vectors', ({ parent, steps }) => {
    let { account } = openKey('btc', parent, 'p2pkh')
    for (const [index, child] of steps) {
      account = account.deriveChild(index)
      expect(account.publicExtendedKey).toBe(child)
    }
  })

  test.each(zeroKeys)('its keys with leading zeros are read', (parent, child) => {
    const { account } = openKey('btc', child, 'p2pkh')
    expect(account.publicExtendedKey).toBe(child)
    expect(account.parentFingerprint).toBe(openKey('btc', parent, 'p2pkh').account.fingerprint)
  })
})
