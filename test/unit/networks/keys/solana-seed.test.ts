import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { address, createAddressWithSeed, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import fc from 'fast-check'
import { encodeSolana } from '../../../../src/networks/addresses/solana.ts'
import { seedAddress } from '../../../../src/networks/keys/solana-seed.ts'
import { tokenAccountOf } from '../../../../src/networks/solana/token-account.ts'

const SYSTEM = address('11111111111111111111111111111111')
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'

const wallets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(secret => encodeSolana(ed25519.getPublicKey(secret)))
const [wallet, otherWallet] = ['one', 'two'].map(name =>
  encodeSolana(ed25519.getPublicKey(sha256(utf8ToBytes(name)))),
) as [string, string]

/** The wallet of a program, like that of a multisig. */
const [vault] = await getProgramDerivedAddress({
  programAddress: TOKEN_PROGRAM_ADDRESS,
  seeds: ['vault'],
})

describe('a seed address', () => {
  test('is not made from a string that is not an address, nor for an attempt without an id', () => {
    for (const payout of ['', 'wallet', `${SYSTEM}`, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'])
      expect(() => seedAddress(payout, 'attempt')).toThrow('Assertion failed')
    expect(() => seedAddress(wallet, '')).toThrow('Assertion failed')
  })

  test('is not made from a payout wallet off the curve', () => {
    expect(isOffCurveAddress(vault)).toBe(true)
    expect(seedAddress(vault, 'attempt')).toBeNull()
    expect(seedAddress(tokenAccountOf(wallet, USDC), 'attempt')).toBeNull()
  })

  test("is the one that Solana's own library makes from the wallet and the seed, and on the curve", async () => {
    await fc.assert(
      fc.asyncProperty(wallets, fc.uuid(), async (payout, attemptId) => {
        const made = seedAddress(payout, attemptId)!
        expect(new TextEncoder().encode(made.seed).length).toBe(32)
        const theirs = await createAddressWithSeed({
          baseAddress: address(payout),
          programAddress: SYSTEM,
          seed: made.seed,
        })
        expect(made.address).toBe(theirs)
        expect(isOffCurveAddress(theirs)).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  test('is always the same, and another for every attempt and wallet', () => {
    const ids = Array.from({ length: 50 }, (_, index) => `attempt ${index}`)
    const made = [wallet, otherWallet].flatMap(payout => ids.map(id => seedAddress(payout, id)!.address))
    expect(new Set(made).size).toBe(100)
    expect(made.slice(0, 50)).toEqual(ids.map(id => seedAddress(wallet, id)!.address))
  })

  test('never changes, since money may be on addresses that buyers were shown', () => {
    expect(seedAddress(wallet, '018f3a5e-7b1c-7c3d-9e2f-0123456789ab')).toEqual({
      address: '6inCpccFSxaG8QFJYtgT9yBkD7sSzTSCcjBz5a1fFEBT',
      seed: '254a67b6a2a8545febfb5c570606b6ce',
    })
  })
})

describe('an associated token address', () => {
  test('is not made from a string that is not an address', () => {
    expect(() => tokenAccountOf('wallet', USDC)).toThrow()
    expect(tokenAccountOf(wallet, USDT)).not.toBe(tokenAccountOf(wallet, USDC))
  })

  test('is the published one, for a wallet and for an address off the curve', () => {
    const mint = '7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z'
    const first = 'DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n'
    expect(tokenAccountOf('B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj', mint)).toBe(first)
    expect(tokenAccountOf(first, mint)).toBe('F3DmXZFqkfEWFA7MN2vDPs813GeEWPaT6nLk4PSGuWJd')
  })

  test("is the one that Solana's own library finds", async () => {
    const owners = fc.oneof(wallets, fc.constant(`${vault}`))
    await fc.assert(
      fc.asyncProperty(owners, fc.constantFrom(USDC, USDT), async (owner, mint) => {
        const [theirs] = await findAssociatedTokenPda({
          owner: address(owner),
          mint: address(mint),
          tokenProgram: TOKEN_PROGRAM_ADDRESS,
        })
        expect(tokenAccountOf(owner, mint)).toBe(theirs)
        expect(isOffCurveAddress(theirs)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
