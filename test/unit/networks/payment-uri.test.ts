import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Asset, WalletNetwork } from '../../../src/domain/asset.ts'
import { toUnits } from '../../../src/domain/money.ts'
import { paymentUri } from '../../../src/networks/payment-uri.ts'

const asset = (network: WalletNetwork, decimals: number, more: Partial<Asset> = {}): Asset => ({
  id: network,
  chain: network,
  network,
  ticker: network.toUpperCase(),
  name: network,
  decimals,
  quoteDecimals: decimals,
  minimum: 1n,
  confirmations: 1,
  finality: false,
  chainId: null,
  contract: null,
  ...more,
})

const btc = asset('btc', 8)
const eth = asset('evm', 18, { chainId: 1 })
const sol = asset('solana', 9)
const usdcMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const usdcOnPolygon = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const usdtOnTron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const addresses: Record<WalletNetwork, string> = {
  evm: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  bitcoincash: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  ltc: 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea',
  doge: 'DPpJVPpvPNP6i6tMj4rTycAGh8wReTqaSU',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
  trc20: 'TNDzfERDpxLDS2w1q6yaFC7pzqaSQ3Bg3r',
  zec: 't1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq',
  xmr: '46BeWrHpwXmHDpDEUmZBWZfoQpdc6HaERCNmx1pEYL2rAcuwufPN9rXHHtyUA4QVy66qeFQkn6sfK8aHYjA3jk3o1Bv16em',
}

const uriOf = (coin: Asset, atomic: bigint, label = ''): string =>
  paymentUri(coin, addresses[coin.network], atomic, label)

const parameter = (uri: string, name: string): string | null =>
  new URLSearchParams(uri.split('?')[1]).get(name)

describe('a payment URI fails an assertion for', () => {
  test.each([0n, -1n])('an amount of %p', atomic => {
    expect(() => uriOf(btc, atomic)).toThrow('Assertion failed')
  })

  test('an EVM asset without a chain id', () => {
    expect(() => uriOf(asset('evm', 18), 1n)).toThrow('Assertion failed')
  })

  test('a malformed Bitcoin Cash address', () => {
    expect(() => paymentUri(asset('bitcoincash', 8), 'bitcoincash:q', 1n, '')).toThrow('Assertion failed')
  })
})

describe('published examples', () => {
  test.each([
    [
      'BIP21',
      btc,
      '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
      20_30000000n,
      'Luke-Jr',
      'amount=20.3&label=Luke-Jr',
    ],
    ['BIP21', btc, '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', 50_00000000n, 'Luke-Jr', 'amount=50&label=Luke-Jr'],
  ] as const)('%s', (_, coin, address, atomic, label, query) => {
    expect(paymentUri(coin, address, atomic, label)).toBe(`bitcoin:${address}?${query}`)
  })

  test('Solana Pay: 1 SOL, and 0.01 USDC', () => {
    expect(uriOf(sol, 1_000_000_000n, 'Michael')).toBe(
      'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=1&label=Michael',
    )
    expect(uriOf(asset('solana', 6, { contract: usdcMint }), 10_000n)).toBe(
      `solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=0.01&spl-token=${usdcMint}`,
    )
  })

  test('ERC-681: 2.014 ETH, its exponent written out and its chain named', () => {
    const address = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359'
    expect(paymentUri(eth, address, 2_014_000_000_000_000_000n, '')).toBe(
      `ethereum:${address}@1?value=2014000000000000000`,
    )
  })

  test('ERC-681: one unicorn', () => {
    const unicorn = asset('evm', 0, { chainId: 1, contract: '0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7' })
    expect(paymentUri(unicorn, '0x8e23ee67d1332ad560396262c48ffbb01f93d052', 1n, '')).toBe(
      'ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7@1/transfer' +
        '?address=0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1',
    )
  })

  test('Monero: a donation', () => {
    expect(uriOf(asset('xmr', 12), 239_390_140_000_000n, 'donation')).toBe(
      `monero:${addresses.xmr}?tx_amount=239.39014&tx_description=donation`,
    )
  })
})

describe('the payment URI of each network', () => {
  test.each([
    [btc, 123_456n, `bitcoin:${addresses.btc}?amount=0.00123456&label=Shop`],
    [asset('ltc', 8), 1n, `litecoin:${addresses.ltc}?amount=0.00000001&label=Shop`],
    [asset('doge', 8), 10_000_000_000n, `dogecoin:${addresses.doge}?amount=100&label=Shop`],
    [asset('zec', 8), 150_000_000n, `zcash:${addresses.zec}?amount=1.5&label=Shop`],
    [asset('bitcoincash', 8), 1_000n, `${addresses.bitcoincash}?amount=0.00001&label=Shop`],
    [eth, 10n ** 18n, `ethereum:${addresses.evm}@1?value=1000000000000000000`],
    [
      asset('evm', 6, { chainId: 137, contract: usdcOnPolygon }),
      25_010_000n,
      `ethereum:${usdcOnPolygon}@137/transfer?address=${addresses.evm}&uint256=25010000`,
    ],
    [
      asset('solana', 6, { contract: usdcMint }),
      1_500_000n,
      `solana:${addresses.solana}?amount=1.5&spl-token=${usdcMint}&label=Shop`,
    ],
    [asset('trc20', 6), 12_345_678n, `tron:${addresses.trc20}?amount=12.345678`],
    [
      asset('trc20', 6, { contract: usdtOnTron }),
      1_000_000n,
      `tron:${addresses.trc20}?amount=1&token=${usdtOnTron}`,
    ],
    [asset('xmr', 12), 1n, `monero:${addresses.xmr}?tx_amount=0.000000000001&tx_description=Shop`],
  ])('%# prints a URI that its wallets can read', (coin, atomic, uri) => {
    expect(uriOf(coin, atomic, 'Shop')).toBe(uri)
  })

  test('Bitcoin Cash has one prefix, for any spelling of the address', () => {
    const uri = `${addresses.bitcoincash}?amount=1`
    const plain = addresses.bitcoincash.slice('bitcoincash:'.length)
    for (const written of [
      addresses.bitcoincash,
      addresses.bitcoincash.toUpperCase(),
      plain,
      plain.toUpperCase(),
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ]) {
      expect(paymentUri(asset('bitcoincash', 8), written, 100_000_000n, '')).toBe(uri)
    }
  })
})

describe('labels', () => {
  test.each([
    ['spaces', 'Donation for project xyz', 'Donation%20for%20project%20xyz'],
    ['what would end the label', 'a&amount=0.1#b?c=d', 'a%26amount%3D0.1%23b%3Fc%3Dd'],
    ['a plus sign and a percent sign', '1+1=200%', '1%2B1%3D200%25'],
    ['letters beyond ASCII', 'Café ☕', 'Caf%C3%A9%20%E2%98%95'],
    ['markup', '"><script>', '%22%3E%3Cscript%3E'],
    ['a lone surrogate', 'a\ud800b', 'a%EF%BF%BDb'],
  ])('%s', (_, label, encoded) => {
    expect(uriOf(btc, 1n, label)).toBe(`bitcoin:${addresses.btc}?amount=0.00000001&label=${encoded}`)
  })

  test.each([
    ['after a whole character', 'Café de la Gare, Montréal, Québec', 'Café de la Gare, Montréal, Q'],
    ['between letters of several bytes', '街'.repeat(11), '街'.repeat(10)],
    ['between emoji that are joined', '👨‍👩‍👧‍👦'.repeat(2), '👨‍👩‍👧‍👦'],
  ])('a long label is cut %s', (_, label, kept) => {
    expect(parameter(uriOf(btc, 1n, label), 'label')).toBe(kept)
  })

  test('an empty label is left out', () => {
    expect(uriOf(btc, 1n)).toBe(`bitcoin:${addresses.btc}?amount=0.00000001`)
  })
})

test('every amount and every label of up to 30 bytes reads back unchanged', () => {
  const coins = fc.constantFrom(
    ...(['btc', 'bitcoincash', 'ltc', 'doge', 'zec', 'solana', 'trc20', 'xmr'] as const).map(network =>
      asset(network, network === 'xmr' ? 12 : 8),
    ),
  )
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(coins, amounts, fc.string({ unit: 'binary', minLength: 1 }), (coin, atomic, label) => {
      const uri = uriOf(coin, atomic, label)
      const isMonero = coin.network === 'xmr'
      const amount = parameter(uri, isMonero ? 'tx_amount' : 'amount')
      expect(amount).toMatch(/^(0|[1-9][0-9]*)([.][0-9]*[1-9])?$/)
      expect(toUnits(amount!, coin.decimals)).toBe(atomic)
      expect(uri).toMatch(/^[a-z]+:[0-9A-Za-z]+[?][0-9A-Za-z=&%._~!*'()-]+$/)
      if (coin.network !== 'trc20') {
        const shown = parameter(uri, isMonero ? 'tx_description' : 'label') ?? ''
        const whole = label.toWellFormed()
        if (Buffer.byteLength(whole) <= 30) expect(shown).toBe(whole)
        else expect([whole.startsWith(shown), Buffer.byteLength(shown) <= 30]).toEqual([true, true])
      }
    }),
    { numRuns: 500 },
  )
})

test('an EVM amount is atomic, for the coin and for a token', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), atomic => {
      const token = asset('evm', 6, { chainId: 8453, contract: usdcOnPolygon })
      expect(parameter(uriOf(eth, atomic), 'value')).toBe(atomic.toString())
      expect(parameter(uriOf(token, atomic), 'uint256')).toBe(atomic.toString())
    }),
  )
})
