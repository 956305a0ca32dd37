import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { type Script, scripts } from '../../../../src/domain/address-source.ts'
import { type WalletNetwork, walletNetworks } from '../../../../src/domain/asset.ts'
import { KeyError, PrivateKeyError } from '../../../../src/networks/keys/private-key-check.ts'
import { readExtendedKey } from '../../../support/known-coins.ts'
import { invalid } from './bip32.ts'
import {
  accounts,
  phrase,
  publicVersions,
  rewritten,
  root,
  withDepth,
  withVersion,
  xpubOf,
} from './published.ts'

const account = root.derive("m/84'/0'/0'")
const xpub = account.publicExtendedKey
const requireKey = walletNetworks.filter(network => network !== 'solana' && network !== 'xmr')

/** The error with which a string is refused. */
function errorOf(network: WalletNetwork, text: string, script: Script | null = null): KeyError {
  try {
    readExtendedKey(network, text, script)
  } catch (error) {
    if (error instanceof KeyError) return error
    throw error
  }
  throw new Error('the key was accepted')
}

const messageOf = (network: WalletNetwork, text: string, script: Script | null = null): string =>
  errorOf(network, text, script).message

const expectExposed = (network: WalletNetwork, text: string): void => {
  const error = errorOf(network, text)
  expect(error).toBeInstanceOf(PrivateKeyError)
  expect(error.message).toContain('never paste it anywhere. Move the money')
}

describe('a private key or seed phrase gets a warning', () => {
  const privateVersions = {
    xprv: 0x0488ade4,
    yprv: 0x049d7878,
    zprv: 0x04b2430c,
    Yprv: 0x0295b005,
    Zprv: 0x02aa7a99,
    Ltpv: 0x019d9cfe,
    Mtpv: 0x01b26792,
    dgpv: 0x02fac398,
    tprv: 0x04358394,
    uprv: 0x044a4e28,
    vprv: 0x045f18bc,
    Uprv: 0x024285b5,
    Vprv: 0x02575048,
    ttpv: 0x0436ef7d,
    tgpv: 0x0432a243,
  }
  const xprv = account.privateExtendedKey

  test.each(Object.entries(privateVersions))('%s, on every network', (name, version) => {
    const key = withVersion(xprv, version)
    expect(key).toStartWith(name)
    for (const network of walletNetworks) {
      expectExposed(network, key)
      expectExposed(network, `  ${key}\n`)
    }
  })

  test('with an unknown version, or with a public one', () => {
    for (const version of [0, 0x02fe52f8, 0xffffffff, publicVersions.xpub, publicVersions.zpub])
      expectExposed('btc', withVersion(xprv, version))
  })

  test('with a mistyped letter, since the key can still be guessed', () => {
    for (const at of [10, 50, 110]) {
      const letter = xprv[at] === 'a' ? 'b' : 'a'
      expectExposed('btc', xprv.slice(0, at) + letter + xprv.slice(at + 1))
    }
  })

  test('inside a descriptor', () => {
    expectExposed('btc', `wpkh([73c5da0a/84h/0h/0h]${xprv}/0/*)#abcdefgh`)
  })

  test('a seed phrase', () => {
    for (const network of walletNetworks) expectExposed(network, phrase)
    expectExposed('btc', phrase.toUpperCase())
    expectExposed('btc', `\n${phrase.replaceAll(' ', '\n')}\n`)
    expectExposed('xmr', `${'abbey '.repeat(24)}abbey`)
  })

  test('a key in wallet import format', () => {
    const base58Check = createBase58check(sha256)
    for (const version of [0x80, 0xb0, 0x9e, 0xef]) {
      const bytes = concatBytes(Uint8Array.of(version), account.privateKey!)
      expectExposed('btc', base58Check.encode(bytes))
      expectExposed('doge', base58Check.encode(concatBytes(bytes, Uint8Array.of(1))))
    }
  })

  test('a bare private key, except where it may be a Monero view key', () => {
    const bare = bytesToHex(account.privateKey!)
    expectExposed('evm', bare)
    expectExposed('trc20', `0x${bare.toUpperCase()}`)
    expect(errorOf('xmr', bare)).not.toBeInstanceOf(PrivateKeyError)
  })

  test("a Solana wallet's key pair", () => {
    const secret = account.privateKey!
    expectExposed('solana', base58.encode(concatBytes(secret, ed25519.getPublicKey(secret))))
  })

  test('other strings, such as addresses and public keys, get no such warning', () => {
    const fine = [xpub.slice(0, 88), xpub + xpub, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'a private key', '']
    for (const text of fine) expect(errorOf('btc', text)).not.toBeInstanceOf(PrivateKeyError)
  })

  test('a public key that happens to contain the prefix of a private key gets no such warning', () => {
    const key = rewritten(xpub, (_, view) => view.setUint32(13, 11291))
    expect(key).toContain('Mtpv')
    expect(readExtendedKey('btc', key, 'p2wpkh').key).toBe(key)
  })
})

describe('refused as not an extended public key', () => {
  test.each(invalid)('%s', (_, isPrivate, key) => {
    expect(errorOf('btc', key) instanceof PrivateKeyError).toBe(isPrivate)
  })

  test('an address, a descriptor, or a part of a key', () => {
    const texts = [
      '',
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
      `wpkh([73c5da0a/84h/0h/0h]${xpub}/0/*)`,
      `[73c5da0a/84h/0h/0h]${xpub}`,
      xpub.slice(0, -1),
      xpub.slice(1),
      xpub.toLowerCase(),
      'x'.repeat(1_000_000),
    ]
    for (const text of texts) expect(messageOf('btc', text)).toContain('xpub, ypub or zpub')
  })

  test('of other lengths', () => {
    const base58Check = createBase58check(sha256)
    const bytes = base58Check.decode(xpub)
    for (const length of [0, 1, 3, 21, 44, 45, 77])
      expect(messageOf('btc', base58Check.encode(bytes.slice(0, length)))).toContain(
        'not an extended public key',
      )
    expect(messageOf('btc', base58Check.encode(concatBytes(bytes, bytes.slice(0, 1))))).toContain(
      'not an extended public key',
    )
  })

  test('with one changed character', () => {
    const keys = accounts.map(({ network, key, script }) => ({ network, key, script }))
    const change = fc.record({
      given: fc.constantFrom(...keys),
      at: fc.nat(),
      letter: fc.string({ minLength: 1, maxLength: 1 }),
    })
    fc.assert(
      fc.property(change, ({ given: { network, key, script }, at, letter }) => {
        const where = at % key.length
        fc.pre(key[where] !== letter)
        errorOf(network, key.slice(0, where) + letter + key.slice(where + 1), script)
      }),
      { numRuns: 500 },
    )
  })

  test('any string: the error is a KeyError and does not repeat the string', () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 200, unit: 'binary' }),
      fc.base64String({ minLength: 30, maxLength: 120 }),
      fc.uint8Array({ minLength: 78, maxLength: 78 }).map(bytes => createBase58check(sha256).encode(bytes)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...walletNetworks), texts, (network, text) => {
        const message = messageOf(network, text)
        if (text.trim().length > 20) expect(message).not.toContain(text.trim())
      }),
      { numRuns: 500 },
    )
  })
})

describe('refused as the key of something else', () => {
  test.each([
    ['tpub', 0x043587cf],
    ['upub', 0x044a5262],
    ['vpub', 0x045f1cf6],
    ['Upub', 0x024289ef],
    ['Vpub', 0x02575483],
    ['ttub', 0x0436f6e1],
    ['tgub', 0x0432a9a8],
  ])('%s, of a test network', (name, version) => {
    const key = withVersion(xpub, version)
    expect(key).toStartWith(name)
    for (const network of requireKey)
      expect(messageOf(network, key)).toContain(`This ${name} is for a test network`)
  })

  test.each([
    ['Ypub', 0x0295b43f],
    ['Zpub', 0x02aa7ed3],
  ])('%s, of a multisig wallet', (name, version) => {
    const key = withVersion(xpub, version)
    expect(key).toStartWith(name)
    for (const network of requireKey) expect(messageOf(network, key)).toContain('multisig')
  })

  test('each prefix is accepted by its own networks only', () => {
    const accepted = Object.entries(publicVersions).map(([name, version]) => {
      const key = withVersion(xpub, version)
      expect(key).toStartWith(name)
      return [
        name,
        requireKey.filter(network => {
          try {
            return readExtendedKey(network, key, null).key === key
          } catch (error) {
            expect((error as KeyError).message).toStartWith(`This ${name} is for `)
            return false
          }
        }),
      ]
    })
    expect(Object.fromEntries(accepted)).toEqual({
      xpub: [...requireKey],
      ypub: ['btc', 'ltc'],
      zpub: ['btc', 'ltc'],
      Ltub: ['ltc'],
      Mtub: ['ltc'],
      dgub: ['doge'],
    })
  })

  test('a coin that is not supported', () => {
    expect(messageOf('btc', withVersion(xpub, 0x02fe52cc))).toContain('a coin that is not supported')
  })

  test('a network without extended keys: the error says what to use instead', () => {
    expect(messageOf('solana', xpub)).toContain('made from the payout wallet')
    expect(messageOf('xmr', xpub)).toContain('private view key')
  })

  test('a chain of an account, an address, or the account of a multisig wallet', () => {
    for (const network of requireKey) {
      const key = xpubOf(network)
      for (const depth of [4, 5, 255]) {
        expect(messageOf(network, withDepth(key, depth, 0))).toContain(`(depth ${depth})`)
        expect(messageOf(network, withDepth(key, depth, 0x80000002))).toContain('multisig')
      }
      expect(messageOf(network, withDepth(key, 4, 0))).toMatch(/such as m\/\d+'\/\d+'\/0'\.$/)
    }
  })

  test('a key from a derivation step that is not hardened, so it cannot be an account', () => {
    for (const depth of [1, 2, 3])
      expect(messageOf('btc', withDepth(xpub, depth, 0))).toContain('inside an account')
  })

  test('a key above the accounts, where no wallet looks for payments', () => {
    for (const network of requireKey)
      expect(messageOf(network, withDepth(xpub, 2))).toContain('above the accounts')
    for (const network of ['evm', 'trc20'] as const) {
      expect(messageOf(network, withDepth(xpub, 0, 0))).toContain('above the accounts')
      expect(messageOf(network, withDepth(xpub, 1))).toContain('above the accounts')
    }
  })
})

describe('a script that does not fit', () => {
  test('the prefix is that of another script', () => {
    const zpub = withVersion(xpub, publicVersions.zpub)
    const ypub = withVersion(xpub, publicVersions.ypub)
    const refused = (network: WalletNetwork, key: string) =>
      scripts.filter(script => {
        try {
          return readExtendedKey(network, key, script).script !== script
        } catch {
          return true
        }
      })
    for (const network of ['btc', 'ltc'] as const) {
      expect(refused(network, zpub)).toEqual(['p2pkh', 'p2sh-p2wpkh', 'p2tr'])
      expect(refused(network, ypub)).toEqual(['p2pkh', 'p2wpkh', 'p2tr'])
      expect(refused(network, xpub)).toEqual(network === 'btc' ? [] : ['p2tr'])
    }
    expect(refused('ltc', withVersion(xpub, publicVersions.Mtub))).toEqual(['p2pkh', 'p2wpkh', 'p2tr'])
    expect(messageOf('btc', zpub, 'p2pkh')).toContain('A zpub is for p2wpkh addresses')
  })

  test('the script of a root must be named, since few roots belong to segwit wallets', () => {
    for (const key of [withDepth(xpub, 0, 0), withDepth(xpub, 1)]) {
      expect(messageOf('btc', key)).toContain('Name the script: p2wpkh, p2sh-p2wpkh, p2pkh, p2tr.')
      expect(readExtendedKey('btc', key, 'p2pkh').script).toBe('p2pkh')
      expect(readExtendedKey('btc', withVersion(key, publicVersions.zpub), null).script).toBe('p2wpkh')
      expect(readExtendedKey('doge', key, null).script).toBe('p2pkh')
    }
  })

  test('the network has only one script, or none', () => {
    for (const network of ['doge', 'bitcoincash', 'zec'] as const) {
      expect(messageOf(network, xpub, 'p2wpkh')).toBe(
        `Addresses of ${network} can only be p2pkh. Leave the script out.`,
      )
      expect(readExtendedKey(network, xpub, 'p2pkh').script).toBe('p2pkh')
    }
    for (const network of ['evm', 'trc20'] as const)
      for (const script of scripts) expect(messageOf(network, xpub, script)).toContain('have no script')
  })
})
