import { describe, expect, test } from 'bun:test'
import { chains } from '../../../src/coins/chains.ts'
import { registry } from '../../../src/coins/registry.ts'
import { type Chain, exchangeNames } from '../../../src/coins/types.ts'
import { type Mark, walletNetworks } from '../../../src/domain/asset.ts'
import { isRateValue } from '../../../src/domain/quote.ts'

/** Expects a white shape on a disc whose color makes the shape visible. */
function isMark({ color, path }: Mark): void {
  expect(color).toMatch(/^#[0-9a-f]{6}$/)
  expect(path).toMatch(/^[Mm][MmLlHhVvCcSsQqTtAaZz0-9,.-]+$/)
  expect(Buffer.byteLength(path)).toBeLessThan(600)
}

const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length)

test('every network that has a payout wallet has a chain, and every chain a network', () => {
  const networks = new Set<string>(chains.map(({ wallet }) => wallet.network))
  expect([...networks].sort()).toEqual([...walletNetworks].sort())
})

test('no two chains or assets share an id, and no two coins a ticker', () => {
  unique(chains.map(({ id }) => id))
  unique(registry.assets.map(({ id }) => id))
  unique(registry.coins.map(({ ticker }) => ticker))
})

test('no two chains share an endpoint setting, and no two EVM chains a chain id', () => {
  unique(chains.map(({ endpoints }) => endpoints.setting))
  unique(chains.flatMap((chain: Chain) => (chain.family === 'evm' ? [chain.chainId] : [])))
})

test('no two coins have the same name at an exchange', () => {
  for (const exchange of exchangeNames) {
    const names = registry.coins.map(({ exchanges }) => exchanges[exchange]).filter(name => name !== null)
    unique(names.map(name => JSON.stringify(name)))
  }
})

test('no two assets share a PayGate path', () => {
  unique(chains.flatMap(({ assets }) => assets.map(asset => asset.paygatePath)).filter(path => path !== null))
})

test('no two prefixes of extended public keys share their bytes', () => {
  const prefixes = registry.wallets.flatMap(({ accountKeys }) =>
    'prefixes' in accountKeys ? accountKeys.prefixes : [],
  )
  unique([...new Set(prefixes)].map(({ version }) => version))
})

describe.each(chains.map(chain => [chain.name, chain as Chain] as const))('%s', (_, chain) => {
  test('has plausible numbers', () => {
    expect(chain.confirmations).toBeGreaterThan(0)
    expect(chain.blockTimeMs).toBeGreaterThan(0)
    if (chain.family === 'bitcoin') expect(chain.staleMs).toBeGreaterThan(10 * chain.blockTimeMs)
  })

  test('has a small icon, and estimates of the fee and duration of a transfer', () => {
    isMark(chain.icon)
    const { feeUsd, seconds } = chain.usual
    expect(feeUsd).toMatch(/^[0-9]+(\.[0-9]{2})?$/)
    expect(Number(feeUsd)).toBeGreaterThan(0)
    const confirmed = (chain.confirmations * chain.blockTimeMs) / 1000
    // On a chain with finality, it may come before or after the confirmations.
    if (!chain.finality) expect(seconds).toBe(confirmed)
    else expect(seconds).toBeGreaterThanOrEqual(10)
  })

  test('has explorer URLs with a placeholder', () => {
    const { address, transaction } = chain.explorer
    expect(transaction).toMatch(/^https:\/\/[a-z.]+\/.*\{txId\}$/)
    if (address !== null) expect(address).toMatch(/^https:\/\/[a-z.]+\/.*\{address\}$/)
  })

  test('names its assets after itself and their ticker', () => {
    const [only, ...others] = chain.assets
    if (only.id === chain.id) expect(others).toEqual([])
    else
      expect(chain.assets.map(({ id }) => id)).toEqual(
        chain.assets.map(({ coin }) => `${chain.id}/${coin.ticker.toLowerCase()}`),
      )
  })

  test('has its own coin first, and then tokens', () => {
    expect(chain.assets.map(({ contract }) => contract === null)).toEqual(
      chain.assets.map((_, at) => at === 0),
    )
  })
})

describe.each(registry.coins.map(coin => [coin.ticker, coin] as const))('%s', (_, coin) => {
  test('has a price in the sandbox and at two exchanges or more', () => {
    expect(isRateValue(coin.sandboxUsd)).toBe(true)
    const known = exchangeNames.filter(exchange => coin.exchanges[exchange] !== null)
    expect(known.length).toBeGreaterThanOrEqual(2)
  })

  test('has a small icon that runs nothing and loads nothing', () => isMark(coin.icon))
})
