import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Asset } from '../../domain/asset.ts'
import { assert, asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { ceilDiv } from '../../domain/money.ts'
import { serviceUpstream } from '../../domain/upstream.ts'
import {
  AccountError,
  type Accounts,
  type DetectedPayment,
  type Fetch,
  type Network,
  NetworkError,
  type OpenRequest,
  type PaymentTarget,
  type Watch,
  type WatchResult,
} from '../port.ts'
import { readCursor } from '../rpc/cursor.ts'
import { type Account, readAccount } from './account.ts'
import { checkInvoice } from './check-bolt11.ts'
import { type InvoiceState, LnurlClient, type PayTerms } from './lnurl.ts'

/** Thousandths of a satoshi. Amounts are whole satoshis: many wallets route smaller parts badly. */
const MSAT = 1000n
/** A server that does not answer holds up the invoices of its own merchants only, and not for long. */
const FAILURES_MAX = 3
const TERMS_MS = 10 * 60_000

interface LightningOptions {
  asset: Asset
  /** reaches only public hosts, and those that the operator allows for Lightning */
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** the prefix of invoices after `ln`: "bc" on Bitcoin's main chain */
  prefix: string
}

/** Where an attempt's invoice comes from, as it is stored with the attempt. */
const Source = Type.Object({
  kind: Type.Literal('issued'),
  account: Type.String(),
  service: Type.String(),
  verifyUrl: Type.String(),
  /** the node that is paid */
  node: Type.String(),
  /** a settlement counts as of this time at the latest: a wallet takes no payment of an expired invoice */
  paidBy: Type.Number(),
  /** the amount of the invoice in satoshis */
  amount: Type.String(),
  /** the payment hash */
  reference: Type.String(),
})
type Source = Static<typeof Source>

/** The proof of a settlement: it holds forever, whatever the server says later. */
const Cursor = Type.Object({ preimage: Type.Union([Type.String(), Type.Null()]) })

/** The Lightning network: invoices of merchants' wallets, with which Florin can receive and not spend. */
export const lightningNetwork = (options: LightningOptions): Network => new Lightning(options)

class Lightning implements Network {
  readonly chain: string
  readonly #client: LnurlClient
  readonly #known = new Map<string, PayTerms & { at: number }>()

  constructor(private readonly options: LightningOptions) {
    this.chain = options.asset.chain
    this.#client = new LnurlClient(options.fetch, options.clock)
  }

  async unavailableReason(): Promise<null> {
    return null
  }

  async open({ account: text = '', dueAtomic, lockedUntil }: OpenRequest): Promise<PaymentTarget> {
    const account = asserted(readAccount(text), 'an invoice is issued by the account of a merchant')
    const { text: invoice, verifyUrl, read } = await this.#issue(account, () => dueAtomic)
    const { node, paymentHash: reference, expiresAt } = read
    const source: Omit<Source, 'reference'> = {
      ...{ kind: 'issued', account: account.text, node, verifyUrl, amount: dueAtomic.toString() },
      ...{ service: serviceUpstream(this, account.host), paidBy: Math.min(lockedUntil, expiresAt) },
    }
    const uri = `lightning:${invoice.toUpperCase()}`
    return { invoice, uri, reference, expiresAt, source, cursor: { preimage: null } }
  }

  /** One request at a time: the merchants of a server share it. One that does not answer ends the scan. */
  async scan(watches: Watch[]): Promise<WatchResult[]> {
    const results: WatchResult[] = []
    const failures: NetworkError[] = []
    for (const watch of watches) {
      if (failures.filter(one => !(one instanceof AccountError)).length === FAILURES_MAX) break
      try {
        results.push(await this.#lookAt(watch))
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        failures.push(error)
      }
    }
    if (results.length === 0 && failures[0]) throw failures[0]
    return results
  }

  readonly accounts: Accounts = {
    try: async text => {
      const account = readAccount(text)
      if (!account) throw new AccountError({ kind: 'lightningName' }, 'this is no Lightning address')
      const { read } = await this.#issue(account, ({ minMsat }) => ceilDiv(minMsat, MSAT))
      return { account: account.text, host: account.host, node: read.node }
    },
    describe: text => {
      const account = asserted(readAccount(text), 'a stored account was read before')
      const terms = this.#known.get(account.text)
      // Nobody waits for it: until the server has answered, an opening finds out.
      if (!terms || this.options.clock() - terms.at > TERMS_MS) void this.#terms(account).catch(() => {})
      const limits = terms ? { least: ceilDiv(terms.minMsat, MSAT), most: terms.maxMsat / MSAT } : null
      return { upstream: serviceUpstream(this, account.host), limits }
    },
  }

  async #terms(account: Account): Promise<PayTerms> {
    const terms = await this.#client.terms(account)
    this.#known.set(account.text, { ...terms, at: this.options.clock() })
    return terms
  }

  /** Issues an invoice, checks all of it, and makes sure that its payment can be seen. */
  async #issue(account: Account, satoshis: (terms: PayTerms) => bigint) {
    const { clock, prefix } = this.options
    const terms = await this.#terms(account)
    const amountMsat = satoshis(terms) * MSAT
    if (amountMsat < terms.minMsat || amountMsat > terms.maxMsat) {
      throw new AccountError({ kind: 'lightningAmount' }, 'the wallet accepts no payment of this amount')
    }
    const { text, verifyUrl } = await this.#client.issue(terms.callback, amountMsat)
    const { metadataHash } = terms
    const read = checkInvoice(text, { amountMsat, metadataHash, now: clock(), prefix })
    if ((await this.#client.look(verifyUrl, text)).isSettled) {
      throw new AccountError({ kind: 'lightningInvoice' }, "the wallet's server calls a new invoice paid")
    }
    return { text: text.toLowerCase(), verifyUrl, read }
  }

  async #lookAt({ attemptId, asset, address, source: stored, cursor }: Watch): Promise<WatchResult> {
    const source = readSource(stored)
    const endpoint = new URL(source.verifyUrl).host
    const nothing = { attemptId, detectedPayments: [], completeFrom: 0, endpoint, cursor: { preimage: null } }
    const { preimage: known } = readCursor(Cursor, cursor)
    const state = known === null ? await this.#client.look(source.verifyUrl, address) : provenBefore(known)
    if (!state.isSettled) return nothing
    const { preimage } = state
    // A server that shows no proof is not believed, or a stranger between could make an order paid.
    if (preimage === null || !isPreimageOf(preimage, source.reference))
      return { ...nothing, isUnproven: true }
    const payment = paymentOf(asset, source, preimage, this.options.clock())
    return { ...nothing, detectedPayments: [payment], cursor: { preimage } }
  }
}

const provenBefore = (preimage: string): InvoiceState => ({ isSettled: true, preimage })

const isPreimageOf = (preimage: string, hash: string): boolean =>
  /^[0-9a-f]{64}$/.test(preimage) && bytesToHex(sha256(hexToBytes(preimage))) === hash

function paymentOf(
  { id: assetId }: Asset,
  { reference: hash, verifyUrl, node, paidBy, account, amount }: Source,
  preimage: string,
  now: number,
): DetectedPayment {
  return {
    ...{ txId: hash, txIndex: '0', txIn: hash, assetId, amountAtomic: BigInt(amount) },
    ...{ confirmations: 1, final: true, height: null, paidAt: Math.min(now, paidBy) },
    evidence: { account, node, paymentHash: hash, preimage, verifiedBy: new URL(verifyUrl).host },
  }
}

function readSource(source: Json): Source {
  assert(Value.Check(Source, source), 'the source of an invoice has a known form')
  return source
}
