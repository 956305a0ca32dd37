import { readAllow } from '../outbound/destinations.ts'
import { readRateSources } from '../rates/sources.ts'
import { endpointTable } from './endpoints.ts'
import * as kinds from './parsers.ts'
import { setting } from './setting.ts'

const secret = true
const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

/** Every setting, once: the README's table, `florin config` and the parser are made from it. */
export const table = {
  host: setting('FLORIN_HOST', '127.0.0.1', 'Where to listen.', kinds.text),
  port: setting('FLORIN_PORT', '3000', 'The port to listen on; 0 picks a free one.', kinds.port),
  dataDir: setting('FLORIN_DATA_DIR', './data', 'Where the database file lives.', kinds.text),
  checkoutUrl: setting(
    'FLORIN_CHECKOUT_URL',
    '',
    "What customers' URLs begin with; http://HOST:PORT when empty.",
    kinds.origin,
  ),
  sandbox: setting(
    'FLORIN_SANDBOX',
    'false',
    'Puts a built-in simulator in place of every upstream.',
    kinds.truth,
  ),
  outboundAllow: setting(
    'FLORIN_OUTBOUND_ALLOW',
    '',
    'Comma-separated host:port that webhook and return URLs may name although private, and over plain http.',
    readAllow,
  ),
  publicRateLimit: setting(
    'FLORIN_PUBLIC_RATE_LIMIT',
    '60',
    'Requests a minute for one client address on unauthenticated /v1 routes; 0 is no limit.',
    kinds.count(1_000_000),
  ),
  trustedProxies: setting(
    'FLORIN_TRUSTED_PROXIES',
    '',
    'Comma-separated addresses or ranges whose X-Forwarded-For is believed.',
    kinds.addresses,
  ),
  orderExpiry: setting(
    'FLORIN_ORDER_EXPIRY',
    '24h',
    'Expiry of an order that names none.',
    kinds.duration(MINUTE_MS, YEAR_MS, 'from 1m to 365d'),
  ),
  gatewayUrl: setting(
    'FLORIN_GATEWAY_URL',
    '',
    'API of the card, bank and wallet gateway (PayGate.to and its kin); empty for none.',
    kinds.url,
  ),
  gatewayCheckoutUrl: setting(
    'FLORIN_GATEWAY_CHECKOUT_URL',
    '',
    "The gateway's payment pages; needed with FLORIN_GATEWAY_URL.",
    kinds.url,
  ),
  gatewayPublicKeys: setting(
    'FLORIN_GATEWAY_PUBLIC_KEYS',
    '',
    'Comma-separated id=FILE.pem of the keys that sign callbacks; without them each callback is looked up.',
    kinds.list,
  ),
  feeWallet: setting(
    'FLORIN_FEE_WALLET',
    '',
    "EVM wallet that the gateway splits the merchants' platform fees to; empty for no split.",
    kinds.evmAddress,
  ),
  providerMinReceived: setting(
    'FLORIN_PROVIDER_MIN_RECEIVED',
    '0.85',
    'The share of the amount due that must arrive by a provider, which deducts its fee.',
    kinds.share,
  ),
  ...endpointTable,
  sharedAddress: setting(
    'FLORIN_SHARED_ADDRESS',
    'false',
    'Shows the payout wallet to all buyers, told apart by amount, where there is no other address.',
    kinds.truth,
  ),
  quorumAbove: setting(
    'FLORIN_SECOND_OPINION',
    '',
    'Amount such as 500 USD above which two endpoints of a chain must tell of a payment; empty for never.',
    kinds.price,
  ),
  assetsFile: setting(
    'FLORIN_ASSETS_FILE',
    '',
    'JSON file that overrides or adds rows of the table of assets.',
    kinds.text,
  ),
  rates: setting(
    'FLORIN_RATES',
    '',
    'Comma-separated sources of rates: kraken, coinbase, binance, coingecko, file:PATH, or a URL.',
    readRateSources,
    secret,
  ),
  krakenUrl: setting(
    'FLORIN_KRAKEN_URL',
    'https://api.kraken.com',
    "What URLs of Kraken's public API begin with.",
    kinds.url,
    secret,
  ),
  coinbaseUrl: setting(
    'FLORIN_COINBASE_URL',
    'https://api.coinbase.com',
    "What URLs of Coinbase's public API begin with.",
    kinds.url,
    secret,
  ),
  binanceUrl: setting(
    'FLORIN_BINANCE_URL',
    'https://api.binance.com',
    "What URLs of Binance's public API begin with.",
    kinds.url,
    secret,
  ),
  coingeckoUrl: setting(
    'FLORIN_COINGECKO_URL',
    'https://api.coingecko.com/api/v3',
    "What URLs of CoinGecko's API begin with; a query, which may hold a key, goes with each.",
    kinds.url,
    secret,
  ),
  logLevel: setting('FLORIN_LOG_LEVEL', 'info', 'debug, info, warn, error or silent.', kinds.logLevel),
}

export type SettingKey = keyof typeof table
export type Settings = { [K in SettingKey]: ReturnType<(typeof table)[K]['read']> }
