import { chains } from '../coins/chains.ts'
import { databaseUrl } from './database-url.ts'
import { domainTable } from './domain-table.ts'
import { makeEndpointTable } from './endpoints.ts'
import * as kinds from './parsers.ts'
import { notifyUrl } from './parsers.ts'
import { providerTable } from './provider-table.ts'
import { rateSources } from './rate-sources.ts'
import { replicaUrl } from './replica-url.ts'
import { retention } from './retention.ts'
import { setting } from './setting.ts'
import { updateTable } from './update-table.ts'

const secret = true
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const YEAR_MS = 365 * DAY_MS

/** All settings. The documentation, `florin config` and the parser are made from this table. */
export const table = {
  host: setting('FLORIN_HOST', '127.0.0.1', 'Address to listen on.', kinds.text),
  port: setting('FLORIN_PORT', '3000', 'Port to listen on; 0 picks a free port.', kinds.port),
  ...domainTable,
  dataDir: setting(
    'FLORIN_DATA_DIR',
    './data',
    'Data directory: the folder that holds the database.',
    kinds.text,
  ),
  secretsFile: setting(
    'FLORIN_SECRETS_FILE',
    '',
    'File with the key that encrypts the stored credentials of providers, made when the first are stored; ' +
      'if empty, secrets.key in FLORIN_DATA_DIR. Backups do not include it.',
    kinds.text,
  ),
  fontFile: setting(
    'FLORIN_FONT_FILE',
    '',
    'TrueType or OpenType font of PDF invoices, for scripts other than Latin, Greek, Cyrillic, ' +
      'Arabic and Hebrew; if empty, DejaVu Sans.',
    kinds.text,
  ),
  backupDir: setting(
    'FLORIN_BACKUP_DIR',
    '',
    'Folder for a backup each night: 7 daily, 4 weekly and 6 monthly ones are kept; if empty, none are made.',
    kinds.text,
  ),
  databaseUrl: setting(
    'FLORIN_DATABASE_URL',
    '',
    'postgres://USER:PASSWORD@HOST:PORT/DATABASE keeps the database in PostgreSQL 15 or later; ' +
      'if empty, in a file.',
    databaseUrl,
    secret,
  ),
  replicaUrl: setting(
    'FLORIN_REPLICA_URL',
    '',
    'Where the database is copied to each second, encrypted: s3://BUCKET/PREFIX?endpoint=URL&region=REGION.',
    replicaUrl,
  ),
  replicaAccessKey: setting(
    'FLORIN_REPLICA_ACCESS_KEY',
    '',
    'Access key ID for FLORIN_REPLICA_URL.',
    kinds.text,
    secret,
  ),
  replicaSecretFile: setting(
    'FLORIN_REPLICA_SECRET_FILE',
    '',
    'File with the secret access key for FLORIN_REPLICA_URL.',
    kinds.text,
  ),
  replicaKeyFile: setting(
    'FLORIN_REPLICA_KEY_FILE',
    '',
    'File with the key that encrypts the copies; florin replica key FILE makes one.',
    kinds.text,
  ),
  replicaKeep: setting(
    'FLORIN_REPLICA_KEEP',
    '7d',
    'How far back a moment can be restored from FLORIN_REPLICA_URL.',
    kinds.duration(DAY_MS, YEAR_MS, 'from 1d to 365d'),
  ),
  checkoutUrl: setting(
    'FLORIN_CHECKOUT_URL',
    '',
    'Public base URL of checkout pages; if empty, that of FLORIN_DOMAIN or http://HOST:PORT.',
    kinds.origin,
  ),
  dashboardUrl: setting(
    'FLORIN_DASHBOARD_URL',
    '',
    'Public base URL of the dashboard; if empty, the checkout URL.',
    kinds.origin,
  ),
  operatorSecondFactor: setting(
    'FLORIN_OPERATOR_SECOND_FACTOR',
    'optional',
    'required: operators have to set up an authenticator app or a passkey as a second factor before ' +
      'they can use the dashboard. optional: each operator decides. For the people of a shop, see florin ' +
      'merchant set --second-factor.',
    kinds.secondFactor,
  ),
  sandbox: setting(
    'FLORIN_SANDBOX',
    'false',
    'false: real payments. true: simulated payments; only this machine can connect. public: simulated ' +
      'payments; other machines can connect, too.',
    kinds.sandbox,
  ),
  greenfield: setting(
    'FLORIN_GREENFIELD',
    'off',
    'on: plugins and clients made for BTCPay Server can use this server, by its API under /api/v1 and its ' +
      'older API under /invoices. See shops.md. off: these APIs do not exist.',
    kinds.onOrOff,
  ),
  outboundAllow: setting(
    'FLORIN_OUTBOUND_ALLOW',
    '',
    'Comma-separated list of host:port on private networks that Florin may contact, also without HTTPS. ' +
      'A prefix limits an entry to one purpose: "endpoint:" for endpoints chosen in the dashboard, ' +
      '"webhook:" for webhooks, return URLs and images, "channel:" for notification channels, which ' +
      'anybody in a shop can add, even viewers, "lightning:" for Lightning wallets and nodes. An entry ' +
      'without a prefix allows endpoints and webhooks only.',
    kinds.allowedHosts,
  ),
  publicRateLimit: setting(
    'FLORIN_PUBLIC_RATE_LIMIT',
    '60',
    'Requests per minute from one client address to public /v1 routes and the form on product ' +
      'pages; 0 means no limit.',
    kinds.count(1_000_000),
  ),
  apiRateLimit: setting(
    'FLORIN_API_RATE_LIMIT',
    '0',
    'Requests per minute with one API key; 0 means no limit.',
    kinds.count(1_000_000),
  ),
  trustedProxies: setting(
    'FLORIN_TRUSTED_PROXIES',
    '',
    'Comma-separated addresses or ranges of reverse proxies whose X-Forwarded-For header is trusted.',
    kinds.addresses,
  ),
  orderExpiry: setting(
    'FLORIN_ORDER_EXPIRY',
    '24h',
    'Default lifetime of an order.',
    kinds.duration(MINUTE_MS, YEAR_MS, 'from 1m to 365d'),
  ),
  retention: setting(
    'FLORIN_RETENTION',
    'idempotency=30d,tries=90d,abandoned=30d,tests=90d',
    'How long to keep idempotency keys, records of webhook delivery attempts (tries), unpaid orders from ' +
      'product pages (abandoned), and test orders (tests): KIND=DURATION, or KIND=never.',
    retention,
  ),
  lateGrace: setting(
    'FLORIN_LATE_GRACE',
    '60m',
    'The price of a crypto payment is valid for 30 minutes. A payment that arrives at most this long after ' +
      'that still counts at the same price.',
    kinds.duration(0, DAY_MS, 'from 0m to 24h'),
  ),
  ...providerTable,
  ...makeEndpointTable(chains),
  sharedAddress: setting(
    'FLORIN_SHARED_ADDRESS',
    'false',
    'true: networks without another source of addresses show every buyer the address of the payout wallet. ' +
      'Payments are identified by their exact amount, so one with a fee deducted is not recognized.',
    kinds.truth,
  ),
  unpaidAddressesMax: setting(
    'FLORIN_UNPAID_ADDRESSES',
    '200',
    'Maximum number of unpaid addresses in a row that buyers get from one extended public key or view key. ' +
      'Set the gap limit of your wallet to more than this: most wallets look only 20 addresses ahead.',
    kinds.count(1_000_000),
  ),
  quorumAbove: setting(
    'FLORIN_SECOND_OPINION',
    '',
    'Amount, such as 500 USD, above which two endpoints must confirm a payment; if empty, one is enough.',
    kinds.price,
  ),
  assetsFile: setting(
    'FLORIN_ASSETS_FILE',
    '',
    'JSON file that changes the built-in assets or adds new ones.',
    kinds.text,
  ),
  rates: setting(
    'FLORIN_RATES',
    '',
    'Comma-separated exchange rate sources: kraken, coinbase, binance, coingecko, file:PATH or a URL.',
    rateSources,
    secret,
  ),
  krakenUrl: setting(
    'FLORIN_KRAKEN_URL',
    'https://api.kraken.com',
    "Base URL of Kraken's public API, used if FLORIN_RATES lists kraken.",
    kinds.url,
    secret,
  ),
  coinbaseUrl: setting(
    'FLORIN_COINBASE_URL',
    'https://api.coinbase.com',
    "Base URL of Coinbase's public API, used if FLORIN_RATES lists coinbase.",
    kinds.url,
    secret,
  ),
  binanceUrl: setting(
    'FLORIN_BINANCE_URL',
    'https://api.binance.com',
    "Base URL of Binance's public API, used if FLORIN_RATES lists binance.",
    kinds.url,
    secret,
  ),
  coingeckoUrl: setting(
    'FLORIN_COINGECKO_URL',
    'https://api.coingecko.com/api/v3',
    "Base URL of CoinGecko's API, used if FLORIN_RATES lists coingecko. A query string, such as an API " +
      'key, is added to each request.',
    kinds.url,
    secret,
  ),
  metrics: setting(
    'FLORIN_METRICS',
    '',
    'host:port of a separate listener with metrics for Prometheus, such as 127.0.0.1:9464; if empty, none.',
    kinds.optionalHostPort,
  ),
  smtpUrl: setting(
    'FLORIN_SMTP_URL',
    '',
    'Mail server for notifications and receipts: smtp:// (STARTTLS) or smtps://, USER:PASSWORD@ if needed.',
    kinds.smtpUrl,
    secret,
  ),
  mailFrom: setting(
    'FLORIN_MAIL_FROM',
    '',
    'Sender of emails; required with FLORIN_SMTP_URL.',
    kinds.mailFrom,
  ),
  notifyUrl: setting(
    'FLORIN_NOTIFY_URL',
    '',
    'Where the operator gets notifications: https://…, ntfy+https://HOST/TOPIC or telegram://CHAT.',
    notifyUrl,
    secret,
  ),
  notifySecretFile: setting(
    'FLORIN_NOTIFY_SECRET_FILE',
    '',
    'File with the secret that signs https:// notifications, or the access token of ntfy or Telegram.',
    kinds.text,
  ),
  securityContact: setting(
    'FLORIN_SECURITY_CONTACT',
    '',
    'mailto:ADDRESS or https:// URL that /.well-known/security.txt names for reports of security problems; ' +
      'if empty, there is no such file.',
    kinds.securityContact,
  ),
  ...updateTable,
  logLevel: setting(
    'FLORIN_LOG_LEVEL',
    'info',
    'Log level: debug, info, warn, error or silent.',
    kinds.logLevel,
  ),
}

export type SettingKey = keyof typeof table
export type Settings = { [K in SettingKey]: ReturnType<(typeof table)[K]['read']> }
