import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callbackName } from '../../src/sandbox/paygate/coins.ts'
import { gatewayStandIn } from '../../src/sandbox/paygate/paygate.ts'
import { openState } from '../../src/sandbox/state.ts'
import { seededRandom } from '../simulation/random.ts'
import type { Client } from './client.ts'
import { microsText, unitsOf } from './decimals.ts'
import { newFolder, removeFolder } from './disks.ts'
import type { ProviderFact } from './facts.ts'
import type { Journal } from './journal.ts'
import { PUBLIC_URL } from './machine.ts'
import { crossRates } from './prices.ts'

const BASE = 'https://gateway.example/gateway'
const MICRO_DIGITS = 6
const PAGE_COIN = 'polygon/usdc'

/** One key pair for all worlds of a process, because generating one takes as long as many steps. */
let pair: { privateKey: string; publicKey: string } | undefined
const keys = () => {
  pair ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return pair
}

/** A wallet that the gateway allocated to one payment. */
interface Lent {
  callbackUrl: string
  token: string
  address: string
  /** the address to which it forwards, as callbacks report it */
  addressOut: string
  /** the path of its coin in the gateway's API */
  coin: string
  isPage: boolean
}

/** A payment that arrived at an allocated wallet. */
interface Paid {
  lent: Lent
  order: string
  value: string
  coin: string
  txIn: string
  txOut: string
}

/** Converts an amount to dollars at the rates of the world. */
function convert(query: URLSearchParams): Response {
  const tenths = crossRates[query.get('from')?.toUpperCase() ?? '']
  if (tenths === undefined) return Response.json({ status: 'error' }, { status: 400 })
  const micros = (unitsOf(query.get('value') ?? '0', MICRO_DIGITS) * 10n) / tenths
  const rate = `${10n / tenths}.${(10n ** 7n / tenths).toString().padStart(6, '0').slice(-MICRO_DIGITS)}`
  return Response.json({ status: 'success', value_coin: microsText(micros), exchange_rate: rate })
}

export type GatewayMood = 'honest' | 'down' | 'unpaid'

/**
 * A simulated gateway for cards and coins: it allocates addresses, receives payments, sends callbacks and
 * answers status look-ups.
 */
export class Gateway {
  mood: GatewayMood = 'honest'
  readonly environment: Record<string, string>
  readonly #journal: Journal
  readonly #client: Client
  readonly #state = openState(':memory:')
  readonly #standIn: ReturnType<typeof gatewayStandIn>
  readonly #lent: Lent[] = []
  readonly paid: Paid[] = []
  readonly #folder = newFolder()
  #transactions = 0

  constructor(seed: number, now: () => number, journal: Journal, client: Client) {
    const random = seededRandom(seed + 77)
    this.#journal = journal
    this.#client = client
    this.#standIn = gatewayStandIn({
      state: this.#state,
      clock: now,
      random: bytes => Uint8Array.from({ length: bytes }, () => random.int(256)),
      isDown: () => this.mood === 'down',
      deliver: async () => 0,
      pageOf: ({ title }) => title,
    })
    const file = join(this.#folder, 'v1.pem')
    writeFileSync(file, keys().publicKey)
    this.environment = {
      FLORIN_GATEWAY_URL: `${BASE}/api`,
      FLORIN_GATEWAY_CHECKOUT_URL: `${BASE}/checkout`,
      FLORIN_GATEWAY_PUBLIC_KEYS: `v1=${file}`,
    }
  }

  close(): void {
    this.#state.close()
    removeFolder(this.#folder)
  }

  async answer(url: URL): Promise<Response> {
    const path = url.pathname.replace('/gateway/api', '')
    if (path === '/control/payment-status.php' && this.mood !== 'down')
      return this.#status(url.searchParams.get('ipn_token') ?? '')
    if (path === '/control/convert.php' && this.mood !== 'down') return convert(url.searchParams)
    const response = await this.#standIn.routes.handle(
      new Request(`http://gateway.example${url.pathname}${url.search}`),
    )
    const isWallet = /wallet[.]php$|custom-affiliate[.]php$/.test(path)
    if (isWallet && response.ok) await this.#lend(path, url.searchParams, response.clone())
    return response
  }

  async #lend(path: string, query: URLSearchParams, response: Response): Promise<void> {
    const json = (await response.json()) as Record<string, string>
    const isPage = json.polygon_address_in !== undefined
    const shares = {
      [query.get('affiliate') ?? '']: query.get('affiliate_fee'),
      [query.get('address') ?? '']: query.get('merchant_fee'),
    }
    const lent = {
      callbackUrl: json.callback_url ?? '',
      token: decodeURIComponent(json.ipn_token ?? ''),
      address: json.polygon_address_in ?? json.address_in ?? '',
      addressOut: query.has('affiliate') ? JSON.stringify(shares) : (query.get('address') ?? ''),
      coin: isPage ? PAGE_COIN : path.replace(/^[/]crypto[/]|[/]wallet[.]php$/g, ''),
      isPage,
    }
    if (!this.#lent.some(({ callbackUrl }) => callbackUrl === lent.callbackUrl)) this.#lent.push(lent)
  }

  /** The payments of a wallet, added up as the gateway does. */
  #status(token: string): Response {
    const all = this.paid.filter(({ lent }) => lent.token === token)
    const [last] = all.slice(-1)
    if (!last || this.mood === 'unpaid') return Response.json({ status: 'unpaid' })
    const { value, coin, txOut } = last
    return Response.json({ status: 'paid', value_coin: value, txid_out: txOut, coin })
  }

  #lentTo(attempts: readonly string[]): Lent | undefined {
    return this.#lent.findLast(({ callbackUrl }) =>
      attempts.includes(new URL(callbackUrl).searchParams.get('attempt') ?? ''),
    )
  }

  /** The address that was allocated to the newest of these attempts; null if there is none. */
  addressOf(attempts: readonly string[]): string | null {
    return this.#lentTo(attempts)?.address ?? null
  }

  /** A buyer pays; `batch` pays with the same transactions as the payment before. */
  pay(
    order: string,
    attempts: readonly string[],
    value: string,
    { batch = false, wrongCoin = false } = {},
  ): void {
    const lent = this.#lentTo(attempts)
    if (!lent) return
    const before = batch ? this.paid.at(-1) : undefined
    const isOther = before && before.lent !== lent && before.lent.coin === lent.coin
    if (!isOther) this.#transactions += 1
    const tx = `${this.#transactions}`.padStart(63, '0')
    const coin = callbackName(wrongCoin ? 'polygon/usdt' : lent.coin)
    const paid = { lent, order, value, coin, txIn: `0xa${tx}`, txOut: `0xb${tx}` }
    this.paid.push(isOther ? { ...paid, txIn: before.txIn, txOut: before.txOut } : paid)
    this.#note(this.paid.at(-1)!, 'paid', null, null)
  }

  /** A buyer sends coins to an allocated address. Returns false if the address was not allocated. */
  receive(order: string, address: string, value: string): boolean {
    const lent = this.#lent.find(one => one.address.toLowerCase() === address.toLowerCase())
    if (!lent) return false
    this.#transactions += 1
    const tx = `${this.#transactions}`.padStart(63, '0')
    this.paid.push({ lent, order, value, coin: callbackName(lent.coin), txIn: `0xa${tx}`, txOut: `0xb${tx}` })
    this.#note(this.paid.at(-1)!, 'paid', null, null)
    return true
  }

  isLent(address: string): boolean {
    return this.#lent.some(one => one.address.toLowerCase() === address.toLowerCase())
  }

  #note(paid: Paid, what: ProviderFact['what'], proof: ProviderFact['proof'], status: number | null): void {
    const { lent, order, value, coin, txIn, txOut } = paid
    this.#journal.note({
      ...{ fact: 'provider', order, addressIn: lent.address, asset: lent.isPage ? null : lent.coin },
      ...{ what, value, coin, txIn, txOut, proof, status },
    })
  }

  /**
   * Sends a callback about the newest payment of an order. A forged callback is about a payment that was
   * never made.
   */
  async callBack(order: string, attempts: readonly string[], proof: NonNullable<ProviderFact['proof']>) {
    const lent = this.#lentTo(attempts)
    if (!lent) return
    const known = this.paid.findLast(one => one.order === order && one.lent === lent)
    const invented = { txIn: `0xe${'0'.repeat(63)}`, txOut: `0xf${'0'.repeat(63)}` }
    const paid = known ?? { lent, order, value: '9999', coin: callbackName(lent.coin), ...invented }
    // A signed callback comes from the gateway, which only reports what happened.
    if (known === undefined && proof === 'signed') return
    const url = this.#urlOf(paid, proof)
    const signature = sign(
      'sha256',
      Buffer.from(proof === 'forged' ? `${url}&forged=1` : url),
      keys().privateKey,
    )
    const headers: Record<string, string> =
      proof === 'unsigned'
        ? {}
        : { 'X-PayGate-Signature': signature.toString('base64'), 'X-PayGate-Key-Id': 'v1' }
    const answer = await this.#client.send('GET', url.slice(PUBLIC_URL.length), { headers })
    this.#note(paid, 'callback', proof, answer?.status ?? null)
  }

  #urlOf({ lent, value, coin, txIn, txOut }: Paid, proof: ProviderFact['proof']): string {
    const parameters = {
      ...{ value_coin: value, coin, txid_in: txIn, txid_out: txOut, address_in: lent.address },
      ...{ value_forwarded_coin: value, address_out: lent.addressOut },
    }
    const added = Object.entries(parameters).map(([name, text]) => `&${name}=${encodeURIComponent(text)}`)
    const secret = proof === 'other-secret' ? 'secret=wrong' : null
    return (secret ? lent.callbackUrl.replace(/secret=[^&]*/, secret) : lent.callbackUrl) + added.join('')
  }
}
