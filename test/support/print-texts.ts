// Prints the texts that people read, for a reviewer who does not know the project: bun
// test/support/print-texts.ts
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { Refusal, type RefusalCode, refusals } from '../../src/domain/errors.ts'
import { buyerMessage } from '../../src/http/pages/buyer-message.ts'
import type { Choices, ChoosePart, CryptoPart, LapsedPart, Part } from '../../views/checkout/model.ts'
import { checkoutPage } from '../../views/checkout/page.ts'
import { errorPage } from '../../views/error.ts'
import { english } from '../../views/locale.ts'
import type { ProductModel } from '../../views/product/model.ts'
import { productPage } from '../../views/product/page.ts'
import type { ShopModel } from '../../views/shop.ts'

const SOURCE = join(import.meta.dir, '../../src')

const frame = { assets: { css: '', js: '' }, isSandbox: false }
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const heading = (text: string): void => print(`\n${'='.repeat(100)}\n${text}\n${'='.repeat(100)}`)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text of a page as a person reads it: hidden hints in brackets, links and buttons in angle quotes. */
const textOf = (page: string): string =>
  page
    .replace(/^[\s\S]*<\/head>/, '')
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<(a|button)\b[^>]*>([\s\S]*?)<\/\1>/g, '‹$2›')
    .replace(/<(?:input|select)\b[^>]*name="(\w+)"[^>]*>/g, '[$1]')
    .replace(/<span class="unseen" hidden>[\s\S]*?<\/span>/g, '')
    .replace(/<span class="unseen">([\s\S]*?)<\/span>/g, '($1)')
    .replace(/<span class="(?:left|note)">/g, ' | ')
    .replace(/<div role="img" aria-label="([^"]*)">/g, '($1)')
    .replace(/\n/g, ' ')
    .replace(/<\/(?:p|h1|h2|li|dt|dd|div|legend|label|figcaption|summary)>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(\w+|#39);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '')
    .join('\n')

function printErrors(): void {
  heading('Error codes of the API')
  for (const [code, [status, message]] of Object.entries(refusals)) print(`${status} ${code}: ${message}`)
}

interface OperationTexts {
  summary: string
  description: string
  responses: Record<string, { description: string }>
}

async function printApi(): Promise<void> {
  heading('Operations of the API')
  const { info, paths } = (await openApiDocument()) as {
    info: { description: string }
    paths: Record<string, Record<string, OperationTexts>>
  }
  print(info.description)
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { summary, description, responses }] of Object.entries(operations)) {
      const successes = Object.entries(responses).filter(([status]) => status < '300')
      print(`\n${method.toUpperCase()} ${path}: ${summary}\n${description}`)
      for (const [status, response] of successes) print(`${status}: ${response.description}`)
    }
  }
}

function printHelp(command: Command, path = ''): void {
  const name = `${path} ${command.name()}`.trim()
  heading(`${name} --help`)
  print(command.helpInformation().trimEnd())
  for (const child of command.commands) printHelp(child, name)
}

const coin = {
  assetId: 'btc',
  assetName: 'Bitcoin',
  ticker: 'BTC',
  amount: '0.001',
  received: null,
  payments: [],
  blind: null,
}

const crypto = (change: Partial<CryptoPart> = {}): CryptoPart => ({
  kind: 'crypto',
  ...coin,
  network: 'Bitcoin',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  uri: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.001',
  browserWallet: null,
  qr: { svg: () => '', content: 'uri' },
  lockedFrom: '2026-11-21T12:00:00.000Z',
  mark: null,
  isToken: false,
  timeToConfirm: '12 min',
  lockedUntil: '2026-11-21T12:30:00.000Z',
  state: 'waiting',
  isAsked: true,
  isCovered: true,
  isTooSmall: false,
  isInvoice: false,
  isBoth: false,
  remaining: null,
  confirmations: 0,
  requiredConfirmations: 2,
  rate: '1 BTC = $25,000.00',
  isShared: false,
  faucetUrl: null,
  ...change,
})

const stripe = { key: 'stripe', title: 'Card', provider: 'Stripe', means: ['card'], isConverted: true }
const usual = 'Network fee usually about $0.01, takes about 10 sec'
const usdcNetworks = [
  {
    network: { assetId: 'polygon/usdc', label: 'USDC · Polygon (ERC20)', mark: null, usual },
    amount: '25',
  },
  { network: { assetId: 'base/usdc', label: 'USDC · Base (ERC20)', mark: null, usual }, amount: '25' },
]

const choices: Choices = {
  methods: [
    { key: 'moonpay', title: 'Card', provider: 'MoonPay', means: ['card', 'applepay'], isConverted: true },
    { key: 'transfi', title: 'Bank transfer', provider: 'Transfi', means: ['bank'], isConverted: true },
  ],
  more: [stripe],
  coins: [
    {
      coin: { name: 'Bitcoin', ticker: 'BTC', mark: null },
      amount: '0.001',
      networks: [
        { network: { assetId: 'btc', label: 'BTC · Bitcoin', mark: null, usual: null }, amount: '0.001' },
      ],
      isOpen: false,
    },
    {
      coin: { name: 'USD Coin', ticker: 'USDC', mark: null },
      amount: '25',
      networks: usdcNetworks,
      isOpen: false,
    },
  ],
  moreCoins: [],
  isCryptoFirst: false,
}

const choose = (offered: Partial<Choices> = {}, change: Partial<ChoosePart> = {}): ChoosePart => ({
  kind: 'choose',
  choices: { ...choices, ...offered },
  failure: null,
  isForAmount: false,
  isFull: false,
  providerAway: false,
  unreached: null,
  networksAway: null,
  canGoBack: false,
  ...change,
})

const lapsed = (received: string | null): LapsedPart => ({ kind: 'lapsed', ...coin, received })

const notice = {
  attemptId: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c56',
  title: 'Your payment doesn’t cover this order',
  texts: ['We received 0.0004 BTC, worth $10.00..'],
  refund: { network: 'Bitcoin', saved: null, problem: null },
}

const moonpay = {
  kind: 'redirect' as const,
  methodKey: 'moonpay',
  methodName: 'MoonPay',
  isAsked: true,
  isConfirming: false,
}
const paid = { kind: 'paid' as const, paidAt: '2026-11-21T12:06:00.000Z' }

const checkoutStates: [state: string, part: Part][] = [
  ['choose a payment method', choose()],
  ['choose again, while a payment is open', choose({}, { canGoBack: true })],
  ['choose, after a declined card', choose({}, { failure: { title: 'MoonPay declined', text: 'Again?' } })],
  ['choose, with one method', choose({ methods: [stripe], more: [], coins: [] })],
  ['choose, while the provider is not responding', choose({ methods: [], more: [] }, { providerAway: true })],
  [
    'choose, while networks cannot be reached',
    choose({}, { unreached: 'Bitcoin', networksAway: 'Bitcoin and Litecoin' }),
  ],
  [
    'nothing to choose, no network',
    choose({ methods: [], more: [], coins: [] }, { networksAway: 'Bitcoin and Litecoin' }),
  ],
  ['nothing to choose', choose({ methods: [], more: [], coins: [] })],
  ['nothing to choose, no provider', choose({ methods: [], more: [], coins: [] }, { providerAway: true })],
  ['crypto', crypto()],
  ['crypto, QR code with the address only', crypto({ qr: { svg: () => '', content: 'address' } })],
  ['crypto, at an address that several buyers share', crypto({ isShared: true })],
  ['crypto in the sandbox', crypto({ faucetUrl: '/sandbox' })],
  ['crypto, partly paid', crypto({ state: 'underpaid', received: '0.0004', remaining: '0.0006' })],
  ['crypto, short by dust', crypto({ state: 'underpaid', received: '0.00099999', isTooSmall: true })],
  ['crypto, confirming', crypto({ state: 'confirming', received: '0.001', confirmations: 1 })],
  ['crypto, final soon', crypto({ state: 'confirming', received: '0.001', confirmations: 2 })],
  ['crypto, time is over', lapsed(null)],
  ['crypto, time is over and partly paid', lapsed('0.0004')],
  ['provider', moonpay],
  ['provider, confirming', { ...moonpay, isAsked: false, isConfirming: true }],
  ['paid in crypto', { ...paid, coins: '0.001 BTC', method: null, refunded: null }],
  ['paid through a provider', { ...paid, coins: null, method: 'MoonPay', refunded: null }],
  [
    'paid and partly refunded',
    { ...paid, coins: '0.001 BTC', method: null, refunded: { amount: '$5.00', isFull: false } },
  ],
  ['expired', { kind: 'expired', isEnded: false, hasReceived: false, isWatched: true }],
  ['expired, partly paid', { kind: 'expired', isEnded: true, hasReceived: true, isWatched: true }],
  ['cancelled', { kind: 'cancelled' }],
  ['failed', { kind: 'failed' }],
  ['blocked', { kind: 'blocked' }],
]

const lookedAt = {
  looking: 'Base and Polygon',
  found: ['25 USDC on Polygon'],
  read: 'Base',
  readAt: '2026-11-21T12:00:00.000Z',
  unreachable: 'Arbitrum',
}

function printCheckout(): void {
  for (const [state, part] of checkoutStates) {
    heading(`Checkout page: ${state}`)
    const model = {
      orderId: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55',
      shop,
      merchantName: 'Corner Coffee',
      reference: 'ORDER-7',
      amount: '$25.00',
      item: { name: 'Two bags of house blend', description: null, imageUrl: null },
      now: '2026-11-21T12:00:00.000Z',
      expiresAt: '2026-11-22T12:00:00.000Z',
      attempts: 1,
      canChoose: true,
      checkedAt: '2026-11-21T12:00:00.000Z',
      isCheckedLater: true,
      shownFirst: null,
      turnedTo: part.kind === 'crypto' ? 'USDT on TRON' : null,
      returnUrl: 'https://shop.example/thanks',
      supportEmail: 'help@shop.example',
      tax: state === 'blocked' ? [] : ['Includes $3.99 tax (19%)'],
      money: state.includes('partly paid')
        ? { lines: ['Received $10.00 of $25.00 · $15.00 left'], missing: [] }
        : null,
      blind: [],
      others: [],
      part,
      elsewhere: part.kind === 'lapsed' ? lookedAt : null,
      notices: state === 'blocked' ? [notice] : [],
    }
    print(textOf(checkoutPage(english, model, { query: {}, language: null, fingerprint: '' }, frame)))
  }
}

const known = { isOver: false, shop: null }

const shop: ShopModel = {
  name: 'Corner Coffee',
  logo: null,
  style: null,
  color: null,
  supportUrl: 'mailto:help@shop.example',
  embedOrigins: [],
  quote: null,
  termsUrl: null,
  privacyUrl: null,
  isListed: true,
}

function printProduct(): void {
  const model: ProductModel = {
    productId: '01981f5a-5500-7a1b-b2c3-d4e5f6071829',
    shop,
    name: 'House blend, 1 kg',
    description: 'Whole bean, roasted on Mondays',
    summary: 'Whole bean, roasted on Mondays',
    pageUrl: 'https://pay.example/checkout/1',
    imageUrl: null,
    image: null,
    price: '$18.50',
    currencies: [{ code: 'USD', label: 'USD – US Dollar' }],
    methods: choices.methods.map(method => ({ ...method, currencies: [] })),
    more: [{ ...stripe, currencies: ['INR'] }],
    crypto: { note: 'BTC, ETH, USDC …', marks: [] },
    providerAway: false,
    networksAway: null,
    isForAmount: false,
    tax: { countries: [['DE', 'Germany']], isAdded: true },
    values: {
      ...{ email: '', fullName: '', paymentMethodKey: '', amount: '18.50', currency: 'USD' },
      ...{ country: '', vatId: '' },
    },
    errors: {},
    refusal: null,
  }
  heading('Product page')
  print(textOf(productPage(english, model, frame)))
}

function printErrorPages(): void {
  const pages = Object.keys(refusals).map(code => {
    const refusal = new Refusal(code as RefusalCode)
    const error = { status: refusal.status, message: buyerMessage(english, refusal) }
    return textOf(
      errorPage(
        english,
        { ...error, requestId: '01981f5c-7d2b', backUrl: '/pay/1', url: null, ...known },
        frame,
      ),
    )
  })
  for (const page of new Set(pages)) {
    heading('Error page')
    print(page)
  }
}

const filesIn = (folder: string): string[] =>
  [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd: SOURCE })].sort()
const codeOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8')

const quoted = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60[^\x60]*\x60`
const concatenated = new RegExp(`(?:${quoted})(?:\\s*\\+\\s*(?:${quoted}))*`, 'g')

/** A string of the code as one text, with braces around expressions. */
const readable = (code: string): string =>
  [...code.matchAll(new RegExp(quoted, 'g'))]
    .map(([text]) => text.slice(1, -1))
    .join('')
    .replace(/\$\{/g, '{')
    .replace(/\s+/g, ' ')

/** The sentences in the code of a file: strings of at least two words. */
const sentencesOf = (file: string): string[] =>
  [
    ...codeOf(file)
      .replace(/^import .*|\/\*[\s\S]*?\*\/|\/\/ .*/gm, '')
      .matchAll(concatenated),
  ]
    .map(([code]) => readable(code))
    .filter(text => /[a-z]\S* \S/i.test(text) && text.split('{').length === text.split('}').length)

function printDoctor(): void {
  heading('florin doctor: names of checks, messages and remedies, in the order of the code')
  for (const file of filesIn('cli/doctor')) print(sentencesOf(file).join('\n'))
  heading('florin doctor: reasons why an endpoint cannot be used, after its host name')
  const reason = new RegExp(`new NetworkError\\(\\s*(${concatenated.source})`, 'g')
  const reasons = filesIn('networks').flatMap(file =>
    [...codeOf(file).matchAll(reason)].map(([, code = '']) => readable(code)),
  )
  print([...new Set(reasons)].sort().join('\n'))
}

function printLogEvents(): void {
  heading('Log events, with their level and fields')
  const call = /\blog\.(debug|info|warn|error)\(\s*\{([^}]*)\},\s*['`]([^'`]+)['`]/g
  const code = filesIn('.').map(codeOf).join('\n')
  const calls = [...code.matchAll(call)].map(([, level, fields = '', event = '']) => {
    const names = fields.split(/,(?![^(]*\))/).map(field => field.split(':')[0]?.trim())
    return `${readable(event)}: ${level} { ${names.filter(Boolean).join(', ')} }`
  })
  const named = [...code.matchAll(/^\s*event: '([\w.]+)'/gm)].map(([, event]) => `${event}: warn`)
  print([...calls, ...named].sort().join('\n'))
}

printErrors()
await printApi()
printHelp(await program(new Cli({ environment: {}, print, complain: print })))
printCheckout()
printProduct()
printErrorPages()
printDoctor()
printLogEvents()
