import { createHash } from 'node:crypto'
import { registry } from '../../src/coins/registry.ts'
import type { Asset } from '../../src/domain/asset.ts'
import type { NodeConnection } from '../../src/domain/lightning.ts'
import { makeInvoice } from '../../src/sandbox/lightning/make-bolt11.ts'
import { seededRandom } from '../simulation/random.ts'
import { macaroonWith, runeWith } from '../support/lightning-node-servers.ts'
import type { AssetFact, ChainFact, Json } from './facts.ts'
import type { Journal } from './journal.ts'
import type { NodeLie } from './steps.ts'

const MSAT = 1000n
const SECOND_MS = 1000
const PREIMAGE_BYTES = 32
/** The number of the first payment by Lightning. Transfers on chains have smaller numbers. */
const FIRST_NUMBER = 1_000_000
/** A node accepts up to this many times the amount of an invoice (BOLT #4). */
const EXCESS = 2n
/**
 * A node that answers reports a payment at the latest after this time. The server asks such a node about an
 * invoice for only a day after its expiry, as `.github/docs/crypto.md` says.
 */
const LATE_MAX_MS = 12 * 3_600_000
const rights = ['invoices:read', 'invoices:write']
const hostOf = (shop: number): string => `node-${shop}.example`

interface Invoice {
  shop: number
  text: string
  preimage: Uint8Array
  hash: string
  label: string
  amountMsat: bigint
  receivedMsat: bigint | null
  paidAt: number
  expiresAt: number
}

/** The first shop has a node of LND, the second one of Core Lightning. */
const kindOf = (shop: number): 'lnd' | 'cln' => (shop % 2 === 0 ? 'lnd' : 'cln')

/** The connection details that a shop enters. */
export function nodeOf(shop: number): NodeConnection {
  const kind = kindOf(shop)
  const secret = kind === 'lnd' ? macaroonWith(rights) : runeWith('method=invoice|method=listinvoices')
  return { kind, url: `https://${hostOf(shop)}`, store: '', secret, certificate: null }
}

export const lightningAsset = (): Asset => registry.invoices('lightning')!.asset

/** Lightning as a chain of the model, on which every payment is final at once. */
export const lightningChain = (shops: number, startsAt: number): ChainFact => ({
  ...{ id: 'lightning', family: 'lightning', blockMs: 1, startsAt, firstHeight: 0 },
  ...{ endpoints: shops, finalDepth: 1 },
})

export const lightningFact = (): AssetFact => {
  const { id, chain, ticker, decimals, quoteDecimals, contract } = lightningAsset()
  return { id, chain, ticker: ticker.toLowerCase(), decimals, quoteDecimals, contract }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const refused = (status: number, message: string): Response => Response.json({ message }, { status })

/** The shops' own nodes, which issue invoices and report whether they were paid. */
export class Lightning {
  readonly #journal: Journal
  readonly #now: () => number
  readonly #random: ReturnType<typeof seededRandom>
  readonly #invoices: Invoice[] = []
  readonly #lies: NodeLie[]
  #paid = 0

  constructor(seed: number, shops: number, now: () => number, journal: Journal) {
    this.#random = seededRandom(seed + 79)
    this.#lies = Array.from({ length: shops }, () => 'honest')
    this.#now = now
    this.#journal = journal
  }

  turn(shop: number, lie: NodeLie): void {
    this.#lies[shop] = lie
    this.#journal.note({
      ...{ fact: 'endpoint', chain: 'lightning', endpoint: shop, lie, amount: 0 },
      times: lie === 'honest' || lie === 'fail' ? null : Number.POSITIVE_INFINITY,
    })
  }

  becomeHonest(): void {
    for (const shop of this.#lies.keys()) this.turn(shop, 'honest')
  }

  /** Answers a request to a node; null if the URL is not that of a node. */
  answer(url: URL, init: RequestInit | undefined): Response | null {
    const shop = this.#lies.findIndex((_, index) => url.host === hostOf(index))
    if (shop < 0) return null
    if (this.#lies[shop] === 'fail') return refused(503, 'away')
    const body: Json = init?.body ? JSON.parse(String(init.body)) : {}
    return kindOf(shop) === 'lnd' ? this.#lnd(shop, url.pathname, body) : this.#cln(shop, url.pathname, body)
  }

  #bytes(): Uint8Array {
    return Uint8Array.from({ length: PREIMAGE_BYTES }, () => this.#random.int(256))
  }

  #issue(shop: number, amountMsat: bigint, expiryS: number, { description = '', label = '' }): Invoice {
    const [preimage, secret, now] = [this.#bytes(), this.#bytes(), this.#now()]
    const key = new Uint8Array(PREIMAGE_BYTES).fill(shop + 1)
    const text = makeInvoice({
      ...{ amountMsat, preimage, description, now, expiryS, secret, key, prefix: 'bc' },
    })
    const hash = createHash('sha256').update(preimage).digest('hex')
    const expiresAt = Math.floor(now / SECOND_MS) * SECOND_MS + expiryS * SECOND_MS
    const made = {
      ...{ shop, text, preimage, hash, label, amountMsat, expiresAt },
      ...{ receivedMsat: null, paidAt: Number.POSITIVE_INFINITY },
    }
    this.#invoices.push(made)
    return made
  }

  /**
   * An invoice as its node reports it: `receivedMsat` is null if nothing was received. Undefined if the node
   * reports no such invoice.
   */
  #told(shop: number, isIt: (one: Invoice) => boolean): Invoice | undefined {
    const lie = this.#lies[shop]
    const found = this.#invoices.find(one => one.shop === shop && isIt(one))
    if (!found || lie === 'missing') return undefined
    const isReported = found.paidAt + LATE_MAX_MS <= this.#now()
    if (isReported && (lie === 'lag' || lie === 'partly')) return found
    if (lie === 'lag') return { ...found, receivedMsat: null }
    if (lie === 'partly') return { ...found, receivedMsat: found.amountMsat / 2n }
    const other = this.#invoices.find(one => one.shop === shop && one !== found)
    return lie === 'other' ? { ...(other ?? found), receivedMsat: found.amountMsat } : found
  }

  #lnd(shop: number, path: string, body: Json): Response {
    if (path === '/v1/invoices') {
      const { value_msat: amount, memo: description, expiry } = body
      const { text, hash } = this.#issue(shop, BigInt(amount), Number(expiry), { description })
      return Response.json({ r_hash: base64(Buffer.from(hash, 'hex')), payment_request: text })
    }
    const found = this.#told(shop, ({ hash }) => path === `/v1/invoice/${hash}`)
    if (!found) return refused(404, 'unable to locate invoice')
    const { text, preimage, receivedMsat, expiresAt } = found
    const unpaid = expiresAt < this.#now() ? 'CANCELED' : 'OPEN'
    return Response.json({
      ...{ payment_request: text, r_preimage: base64(preimage) },
      ...{ state: receivedMsat === null ? unpaid : 'SETTLED', amt_paid_msat: `${receivedMsat ?? 0n}` },
    })
  }

  #cln(shop: number, path: string, body: Json): Response {
    if (path === '/v1/invoice') {
      const { amount_msat: amount, label, description, expiry } = body
      const { text, hash } = this.#issue(shop, BigInt(amount), Number(expiry), { description, label })
      return Response.json({ bolt11: text, payment_hash: hash }, { status: 201 })
    }
    const found = this.#told(shop, ({ label }) => label === body.label)
    if (!found) return Response.json({ invoices: [] }, { status: 201 })
    const { text, hash, preimage, receivedMsat, expiresAt } = found
    const paid = receivedMsat !== null && {
      ...{ amount_received_msat: Number(receivedMsat), pay_index: 1 },
      payment_preimage: Buffer.from(preimage).toString('hex'),
    }
    const unpaid = expiresAt < this.#now() ? 'expired' : 'unpaid'
    const status = receivedMsat === null ? unpaid : 'paid'
    return Response.json(
      { invoices: [{ bolt11: text, payment_hash: hash, status, ...paid }] },
      { status: 201 },
    )
  }

  /**
   * A buyer's wallet pays an invoice. The node refuses a wrong amount, and an invoice that is paid or
   * expired.
   */
  pay(order: string, text: string, satoshis: bigint): void {
    const invoice = this.#invoices.find(one => one.text === text)
    const msat = satoshis * MSAT
    if (!invoice || invoice.receivedMsat !== null || invoice.expiresAt < this.#now()) return
    if (msat < invoice.amountMsat || msat > invoice.amountMsat * EXCESS) return
    const now = this.#now()
    invoice.receivedMsat = msat
    invoice.paidAt = now
    this.#paid += 1
    const transfer = FIRST_NUMBER + this.#paid
    this.#journal.note({
      ...{ fact: 'transfer', transfer, tx: transfer, txId: invoice.hash, chain: 'lightning' },
      ...{ asset: 'lightning', to: text, amount: satoshis, order, kind: 'payment', replaces: null },
      ...{ hiddenUntil: now, seenAt: now },
    })
    this.#journal.note({ fact: 'mined', transfer, block: { height: 0, time: now } })
  }
}
