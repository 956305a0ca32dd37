import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bitcoinNetwork } from '../../src/networks/bitcoin/network.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { addressOfScript, type FrontCoin, startFront } from '../support/bitcoin-front.ts'
import { type Litecoind, startLitecoind } from '../support/litecoind.ts'
import { assetOf, openAttempt, scanAttempts, summarize } from './bitcoin-scene.ts'

const KEY_HASH = '11'.repeat(20)
const LONG_HASH = '22'.repeat(32)
const keyHash = `76a914${KEY_HASH}88ac`
const scriptHash = `a914${KEY_HASH}87`
const witness = [`0014${KEY_HASH}`, `0020${LONG_HASH}`]

const scripts: Record<FrontCoin, string[]> = {
  btc: [keyHash, scriptHash, ...witness],
  ltc: [keyHash, scriptHash, ...witness],
  doge: [keyHash, scriptHash],
  bitcoincash: [keyHash, scriptHash],
  zec: [keyHash, scriptHash],
}

describe('the script that pays an address', () => {
  test.each([
    ['btc', 'DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE'],
    ['doge', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['zec', 'not an address'],
    ['bitcoincash', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['ltc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ] as const)('does not exist for %s: %s', (coin, address) => {
    expect(scriptOf(coin, address)).toBeNull()
  })

  // The first is Bitcoin's first address; the others are from BIP173, BIP350 and the CashAddr specification.
  test.each([
    ['btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac'],
    ['btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'btc',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    [
      'bitcoincash',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
    ],
    [
      'bitcoincash',
      'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
    ],
    [
      'bitcoincash',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
    ],
    ['bitcoincash', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'a91476a04053bda0a88bda5177b86a15c3b29f55987387'],
    ['ltc', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'a91476a04053bda0a88bda5177b86a15c3b29f55987387'],
  ] as const)('is right for %s: %s', (coin, address, script) => {
    expect(scriptOf(coin, address)).toBe(script)
  })

  test('is the same after a round trip through each kind of address', () => {
    for (const [coin, own] of Object.entries(scripts) as [FrontCoin, string[]][]) {
      for (const script of own) expect(scriptOf(coin, addressOfScript(coin, script)!)).toBe(script)
    }
  })
})

describe('an exact payment', () => {
  let node: Litecoind
  beforeAll(async () => {
    node = await startLitecoind()
  })
  afterAll(() => node.stop())

  const cases = (Object.keys(scripts) as FrontCoin[]).flatMap(coin =>
    (['esplora', 'blockbook'] as const).flatMap(protocol =>
      [true, false].map(isWhole => [coin, protocol, isWhole] as const),
    ),
  )

  test.each(cases)('in %s over %s (complete: %p) is detected and final', async (coin, ...how) => {
    const [protocol, isWhole] = how
    const front = startFront(node, { coin, isWhole })
    const network = bitcoinNetwork({
      chain: coin,
      assets: [assetOf(coin)],
      endpoints: [{ protocol, url: front.url }],
      fetch,
      clock: Date.now,
    })
    expect(await network.unavailableReason(assetOf(coin))).toBeNull()
    const opening = scripts[coin].map(script => openAttempt(network, coin, script))
    const attempts = (await Promise.all(opening)).map((attempt, index) => ({
      ...attempt,
      attemptId: `${index}`,
    }))
    const amounts = attempts.map((_, index) => 1_234_567n + BigInt(index))
    await node.pay(...attempts.map(({ script }, index) => ({ script, amount: amounts[index]! })))
    expect((await scanAttempts(network, ...attempts)).map(summarize)).toEqual(
      amounts.map(amount => [[amount, 0, false]]),
    )
    await node.mine(3)
    expect((await scanAttempts(network, ...attempts)).map(summarize)).toEqual(
      amounts.map(amount => [[amount, 3, true]]),
    )
    await node.mine(5)
    await front.stop()
  })
})
