import { describe, expect, test } from 'bun:test'
import { networksOf } from '../../../src/boot/networks.ts'
import { realPlatform } from '../../../src/boot/platform.ts'
import { chains } from '../../../src/coins/chains.ts'
import { xpub } from '../../../src/coins/key-prefixes.ts'
import { makeRegistry, registry } from '../../../src/coins/registry.ts'
import { type BitcoinChain, type Coin, exchangeNames } from '../../../src/coins/types.ts'
import { chainOf, type WalletNetwork } from '../../../src/domain/asset.ts'
import { makeAddresses } from '../../../src/networks/addresses/index.ts'
import { coinsOf } from '../../../src/networks/bitcoin/coins.ts'
import { pathsOf } from '../../../src/providers/paygate/coins.ts'
import { makeExchanges } from '../../../src/rates/exchanges/index.ts'
import { makeRateTable } from '../../../src/sandbox/rates.ts'
import { endpointSettingsOf, makeEndpointTable } from '../../../src/settings/endpoints.ts'
import { readSettings } from '../../../src/settings/read.ts'
import { root, withVersion } from '../networks/keys/published.ts'

const fth: Coin = {
  ticker: 'FTH',
  name: 'Feathercoin',
  exchanges: {
    kraken: { pair: 'FTHUSD', result: 'XFTHZUSD' },
    coinbase: 'FTH',
    binance: 'FTHUSDT',
    coingecko: 'feathercoin',
  },
  sandboxUsd: '0.5',
  icon: { color: '#336699', path: 'M8 8h16v16H8z' },
}

/** A made-up coin like Bitcoin. Its network is not in the API's list. */
const madeUp = {
  id: 'feather',
  family: 'bitcoin',
  name: 'Feather',
  wallet: {
    network: 'feather' as WalletNetwork,
    address: {
      kind: 'bitcoin',
      p2pkh: [0x0e],
      p2sh: [[0x60]],
      segwit: 'fc',
      hasTaprootAccounts: false,
      cashAddr: null,
    },
    accountKeys: {
      prefixes: [xpub, { name: 'Fpub', version: 0x0488bc26, script: 'p2wpkh' }],
      path: "m/84'/8'/0'",
      hasRootWallets: true,
    },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'feathercoin' },
  },
  confirmations: 5,
  finality: false,
  blockTimeMs: 60_000,
  endpoints: { setting: 'feather', protocols: ['blockbook', 'core'] },
  icon: fth.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 300 },
  explorer: {
    address: 'https://feather.example/address/{address}',
    transaction: 'https://feather.example/tx/{txId}',
  },
  genesis: 'fdbe99b90c90bae7505796461471d89ae8388ab953997aa06a355bbda8d915cb',
  checkpoint: null,
  blockbookNames: ['feathercoin', 'fth'],
  staleMs: 2 * 3600_000,
  assets: [
    {
      id: 'feather',
      coin: fth,
      decimals: 8,
      quoteDecimals: 6,
      minimum: 5460n,
      contract: null,
      paygatePath: 'fth',
    },
  ],
} as const satisfies BitcoinChain

/** The registry after adding one descriptor file, and one line to `chains.ts`. */
const extended = makeRegistry([...chains, madeUp])
const { network, accountKeys } = madeUp.wallet
const [{ coin }] = madeUp.assets

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const settings = { ...readSettings({}), featherUrl: [] }
const networks = networksOf(settings, realPlatform(quiet), Date.now, null, { coins: extended })
const known = networksOf(settings, realPlatform(quiet), Date.now, null)

const account = root.derive("m/84'/8'/0'").publicExtendedKey
const address = 'fc1q0l4pnzy6qfhddw8cyeufqgwff6zaawvxy7sl3e'

describe('a made-up coin with one descriptor', () => {
  test('is an asset with a name', () => {
    expect(networks.asset('feather')).toEqual({
      id: 'feather',
      chain: 'feather',
      network,
      ticker: 'FTH',
      name: 'Feather',
      decimals: 8,
      quoteDecimals: 6,
      minimum: 5460n,
      confirmations: 5,
      finality: false,
      chainId: null,
      contract: null,
    })
    expect(extended.chainName(chainOf('feather'))).toBe('Feather')
  })

  test('has its addresses checked and spelled in one way', () => {
    expect(networks.isAddress(network, address)).toBe(true)
    expect(networks.isAddress(network, address.replace('sl3e', 'sl3f'))).toBe(false)
    expect(networks.isAddress('btc', address)).toBe(false)
    expect(networks.canonical(network, address.toUpperCase())).toBe(address)
  })

  test('has addresses derived from the extended public keys of its wallets', () => {
    const { key, script, others } = networks.readAccountKey(network, account, null)
    expect(script).toBe('p2wpkh')
    expect(networks.derive({ network, key, script, payoutAddress: null }, 0)).toBe(address)
    expect(others.map(other => other.script)).toEqual(['p2sh-p2wpkh', 'p2pkh'])
    const own = withVersion(account, accountKeys.prefixes[1].version)
    expect(networks.readAccountKey(network, own, null)).toMatchObject({ script: 'p2wpkh', warnings: [] })
    expect(() => networks.readAccountKey('btc', own, null)).toThrow('This Fpub is for feather.')
  })

  test('has its own sources of addresses', () => {
    const asset = networks.asset('feather')!
    expect(networks.sourceKinds(asset, address)).toEqual(['xpub', 'pool', 'shared'])
    expect(networks.acceptsSource(network, 'viewkey')).toBe(false)
  })

  test('has payment URIs', () => {
    const uri = networks.uri(networks.asset('feather')!, address, 150_000_000n, 'Shop')
    expect(uri).toBe(`feathercoin:${address}?amount=1.5&label=Shop`)
  })

  test('has a setting for its endpoints', () => {
    expect(endpointSettingsOf(extended)).toMatchObject({ feather: 'featherUrl', btc: 'bitcoinUrl' })
    const table: Record<string, unknown> = makeEndpointTable(extended.chains)
    expect(table.featherUrl).toMatchObject({
      name: 'FLORIN_FEATHER_URL',
      meaning: 'Comma-separated endpoints of Feather, tried in turn: blockbook+URL or core+URL.',
      isSecret: true,
    })
  })

  test('has a first block that its watcher recognises', () => {
    const { genesis, staleMs } = madeUp
    const rules: Record<string, unknown> = coinsOf(extended)
    expect(rules.feather).toMatchObject({ genesis, staleMs, addressFormat: madeUp.wallet.address })
  })

  test('has prices at each exchange', () => {
    const exchanges = makeExchanges(extended.coins)
    expect(exchangeNames.filter(name => !exchanges[name].lists('fth'))).toEqual([])
    expect(exchanges.kraken.path(['fth'])).toContain('pair=FTHUSD,')
    expect(exchanges.binance.path(['fth'])).toContain('FTHUSDT')
    expect(exchanges.coingecko.path(['fth'])).toContain('feathercoin')
    const answer = { data: { currency: 'USD', rates: { FTH: '2' } } }
    expect(exchanges.coinbase.read(answer, ['fth']).rows.has('fth')).toBe(true)
    expect(exchangeNames.filter(name => makeExchanges(registry.coins)[name].lists('fth'))).toEqual([])
  })

  test('has a path at PayGate', () => {
    expect(pathsOf(extended)).toContainEqual(['feather', 'fth'])
  })

  test('has addresses and a price in the sandbox', () => {
    const simulated = makeAddresses(extended).addressFromSeed(network, new Uint8Array(32).fill(7))
    expect(networks.isAddress(network, simulated)).toBe(true)
    expect(makeRateTable(extended).feather).toEqual({ USD: '0.5' })
  })

  test('changes nothing of the other coins', () => {
    expect(networks.assets.slice(0, -1)).toEqual([...known.assets])
    expect(extended.coins.filter(each => each !== coin)).toEqual([...registry.coins])
  })
})
