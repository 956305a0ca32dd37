import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Asset } from '../../domain/asset.ts'
import { assert, asserted } from '../../domain/errors.ts'
import type { EnteredLightning, NodeConnection, NodeSecret } from '../../domain/lightning.ts'
import type { Json } from '../../domain/metadata.ts'
import { ceilDiv } from '../../domain/money.ts'
import { serviceUpstream } from '../../domain/upstream.ts'
import {
  AccountError,
  type Accounts,
  type DetectedPayment,
  type Fetch,
  type FindSecret,
  type Network,
  NetworkError,
  type OpenRequest,
  type PaymentTarget,
  type Watch,
  type WatchResult,
  type WebSocketOpener,
} from '../port.ts'
import { readCursor } from '../rpc/cursor.ts'
import { type Account, accountOfNode, readAccount, readAddress } from './account.ts'
import { sourceOf } from './sources/index.ts'
import { type InvoiceSource, type InvoiceState, type Offer, sourceError } from './sources/port.ts'

/** Thousandths of a satoshi. Amounts are whole satoshis, since many wallets route smaller parts badly. */
const MSAT = 1000n
/** After this many failures a scan ends, so that it does not wait long for a server that does not answer. */
const FAILURES_MAX = 3
const TERMS_MS = 10 * 60_000
/** The time by which an invoice of a node outlives the lock of its attempt. */
const SPARE_MS = 60_000
const TRIAL_MS = 10 * 60_000
const TRIAL = 'Test of a connection'

/** Connections to one server. They trust only the node's own certificate, or what the system trusts. */
interface Outside {
  /** reaches only public hosts, and those that the operator allows for Lightning */
  fetch: Fetch
  openSocket: WebSocketOpener
}

interface LightningOptions {
  asset: Asset
  outside(certificate: string | null): Outside
  findSecret: FindSecret
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** the prefix of invoices after `ln`: "bc" on Bitcoin's main chain */
  prefix: string
}

/** The origin of an attempt's invoice, as it is stored with the attempt. */
const Source = Type.Object({
  kind: Type.Literal('issued'),
  account: Type.String(),
  service: Type.String(),
  /** the URL or name by which the invoice's state is asked for */
  handle: Type.String(),
  /** the node that is paid */
  node: Type.String(),
  /** the latest time of a settlement, since a wallet takes no payment of an expired invoice */
  paidBy: Type.Number(),
  /** the amount of the invoice in satoshis */
  amount: Type.String(),
  /** the payment hash */
  reference: Type.String(),
})
type Source = Static<typeof Source>

/** A settlement that was seen and proven. It stays valid, whatever the server reports later. */
const Settled = Type.Object({ satoshis: Type.String(), preimage: Type.Union([Type.String(), Type.Null()]) })
type Settled = Static<typeof Settled>
const Cursor = Type.Object({ settled: Type.Union([Settled, Type.Null()]) })
const UNSETTLED = { settled: null }

/** The request for an invoice. */
interface Wanted {
  satoshis(offer: Offer): bigint
  description: string
  expiresAt: number
}

type CheckInvoice = typeof import('./check-bolt11.ts').checkInvoice
type ReadConnection = typeof import('./sources/nwc.ts').readConnection

/** Loads the elliptic curves with the first invoice. */
const checkInvoice: CheckInvoice = (...invoice) => require('./check-bolt11.ts').checkInvoice(...invoice)

/** The Lightning network: invoices of merchants' wallets. Florin can receive with them, but cannot spend. */
export const lightningNetwork = (options: LightningOptions): Network => new Lightning(options)

class Lightning implements Network {
  readonly chain: string
  readonly #known = new Map<string, Offer & { at: number }>()

  constructor(private readonly options: LightningOptions) {
    this.chain = options.asset.chain
  }

  async unavailableReason(): Promise<null> {
    return null
  }

  async open({ account: stored = '', dueAtomic, label, lockedUntil }: OpenRequest): Promise<PaymentTarget> {
    const account = asserted(readAccount(stored), 'an invoice is issued by the account of a merchant')
    const from = await this.#openSource(account)
    const {
      text: invoice,
      handle,
      read,
    } = await this.#issue(account, from, {
      ...{ satoshis: () => dueAtomic, description: label, expiresAt: lockedUntil + SPARE_MS },
    })
    const { node, paymentHash: reference, expiresAt } = read
    const source: Omit<Source, 'reference'> = {
      ...{ kind: 'issued', account: stored, node, handle, amount: dueAtomic.toString() },
      ...{ service: serviceUpstream(this, account.host), paidBy: Math.min(lockedUntil, expiresAt) },
    }
    const uri = `lightning:${invoice.toUpperCase()}`
    return { invoice, uri, reference, expiresAt, source, cursor: UNSETTLED }
  }

  /** Sends one request at a time, since a server's merchants share it. Ends after `FAILURES_MAX` failures. */
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
    try: async entered => {
      const { account, secret } = read(entered)
      const node = await this.#try(account, this.#sourceOf(account, secret))
      return { account: { kind: account.kind, account: account.text, host: account.host, node }, secret }
    },
    tryAgain: async stored => {
      const account = asserted(readAccount(stored), 'a stored account was read before')
      await this.#try(account, await this.#openSource(account))
    },
    describe: stored => {
      const account = asserted(readAccount(stored), 'a stored account was read before')
      const upstream = serviceUpstream(this, account.host)
      if (account.kind !== 'address') return { upstream, limits: null }
      const offer = this.#known.get(account.text)
      // Nobody waits for the answer. Without it, the amount is checked when the invoice is issued.
      if (!offer || this.options.clock() - offer.at > TERMS_MS)
        void this.#offerOf(account, this.#sourceOf(account, null)).catch(() => {})
      const limits = offer ? { least: ceilDiv(offer.minMsat, MSAT), most: offer.maxMsat / MSAT } : null
      return { upstream, limits }
    },
  }

  #sourceOf(account: Account, secret: NodeSecret | null): InvoiceSource {
    const { outside, clock } = this.options
    return sourceOf(account, secret, { ...outside(secret?.certificate ?? null), clock })
  }

  async #openSource(account: Account): Promise<InvoiceSource> {
    if (account.kind === 'address') return this.#sourceOf(account, null)
    const secret = await this.options.findSecret(account.owner, account.text)
    if (!secret) throw sourceError('lightningSecret', 'there is no secret for this node any more')
    return this.#sourceOf(account, secret)
  }

  /** Issues an invoice for a test, and returns the node that signs the invoices of an account. */
  async #try(account: Account, source: InvoiceSource): Promise<string> {
    await source.checkRights?.()
    const satoshis = ({ minMsat }: Offer) => ceilDiv(minMsat, MSAT)
    const wanted = { satoshis, description: TRIAL, expiresAt: this.options.clock() + TRIAL_MS }
    return (await this.#issue(account, source, wanted)).read.node
  }

  async #offerOf(account: Account, source: InvoiceSource): Promise<Offer> {
    const offer = await source.offer()
    this.#known.set(account.text, { ...offer, at: this.options.clock() })
    return offer
  }

  /** Issues an invoice, checks all of it, and makes sure that its payment can be seen. */
  async #issue(account: Account, source: InvoiceSource, { satoshis, description, expiresAt }: Wanted) {
    const { clock, prefix } = this.options
    const offer = await this.#offerOf(account, source)
    const amountMsat = satoshis(offer) * MSAT
    if (amountMsat < offer.minMsat || amountMsat > offer.maxMsat)
      throw sourceError('lightningAmount', 'the wallet accepts no payment of this amount')
    const expiryS = Math.ceil((expiresAt - clock()) / 1000)
    const { text, paymentHash, handle } = await offer.issue({ amountMsat, description, expiryS })
    const metadataHash = offer.metadataHash ?? bytesToHex(sha256(utf8ToBytes(description)))
    const read = checkInvoice(text, { amountMsat, metadataHash, now: clock(), prefix })
    if (paymentHash !== null && paymentHash !== read.paymentHash)
      throw sourceError('lightningInvoice', 'the wallet names another payment hash than that of its invoice')
    const asked = { text: text.toLowerCase(), paymentHash: read.paymentHash, amountMsat }
    if ((await source.look(handle, asked)).isSettled)
      throw sourceError('lightningInvoice', "the wallet's server calls a new invoice paid")
    return { text: asked.text, handle, read }
  }

  async #lookAt({ attemptId, asset, address, source: stored, cursor }: Watch): Promise<WatchResult> {
    const source = readSource(stored)
    const account = asserted(readAccount(source.account), 'a stored account was read before')
    const nothing = { attemptId, detectedPayments: [], completeFrom: 0, cursor: UNSETTLED }
    const endpoint = askedAt(source)
    const known = readCursor(Cursor, cursor).settled
    const settled = known ?? (await this.#askAbout(account, source, address))
    if (settled === null) return { ...nothing, endpoint }
    // A server without a proof is not trusted, or a stranger in between could make an order paid.
    const now = this.options.clock()
    const named = { txId: null, assetId: asset.id, amountAtomic: 0n, paidAt: now, endpoint }
    if (settled === 'unproven') return { ...nothing, endpoint, unproven: [named] }
    const payment = paymentOf(asset, source, settled, now)
    return { ...nothing, endpoint, detectedPayments: [payment], cursor: { settled } }
  }

  async #askAbout(account: Account, { handle, reference, amount }: Source, text: string) {
    const from = await this.#openSource(account)
    const amountMsat = BigInt(amount) * MSAT
    const state = await from.look(handle, { text, paymentHash: reference, amountMsat })
    return state.isSettled ? settledBy(state, from.proof, { reference, amountMsat }) : null
  }
}

/** Reads the account and the secret that were entered. Throws AccountError. */
function read(entered: EnteredLightning): { account: Account; secret: NodeSecret | null } {
  if (entered.kind === 'address') {
    const account = readAddress(entered.text)
    if (!account) throw sourceError('lightningName', 'this is no Lightning address')
    return { account, secret: null }
  }
  const connection = entered.kind === 'nwc' ? connectionIn(entered) : entered
  const account = accountOfNode(connection)
  if (!account) throw sourceError('lightningUrl', 'this is no URL of such a node')
  const { secret, certificate } = connection
  if (secret.trim() === '') throw sourceError('lightningSecret', 'the secret is missing')
  return { account, secret: { secret: secret.trim(), certificate } }
}

/** Reads the relay, the wallet and the key of a connection, which are entered as one text. */
function connectionIn(entered: NodeConnection): NodeConnection {
  const readConnection: ReadConnection = require('./sources/nwc.ts').readConnection
  const parts = readConnection(entered.secret)
  if (!parts) throw sourceError('lightningUrl', 'this is no connection of Nostr Wallet Connect')
  return { ...entered, ...parts }
}

/** Returns a settlement as it is stored; `unproven` if there is reason to doubt it. */
function settledBy(
  { preimage, receivedMsat }: InvoiceState,
  proof: InvoiceSource['proof'],
  { reference, amountMsat }: { reference: string; amountMsat: bigint },
): Settled | 'unproven' {
  const received = receivedMsat ?? amountMsat
  const isProven = preimage === null ? proof === 'state' : isPreimageOf(preimage, reference)
  if (!isProven || received < amountMsat) return 'unproven'
  return { satoshis: (received / MSAT).toString(), preimage }
}

const isPreimageOf = (preimage: string, hash: string): boolean =>
  /^[0-9a-f]{64}$/.test(preimage) && bytesToHex(sha256(hexToBytes(preimage))) === hash

function paymentOf(
  { id: assetId }: Asset,
  source: Source,
  { satoshis, preimage }: Settled,
  now: number,
): DetectedPayment {
  const { reference: hash, node, paidBy } = source
  const account = source.account.replace(/#.*/, '')
  return {
    ...{ txId: hash, txIndex: '0', txIn: hash, assetId, amountAtomic: BigInt(satoshis) },
    ...{ confirmations: 1, final: true, height: null, paidAt: Math.min(now, paidBy) },
    evidence: { account, node, paymentHash: hash, preimage, verifiedBy: askedAt(source) },
  }
}

/** Returns the host that is asked for states. The server of a Lightning address may name another one. */
function askedAt({ account: stored, handle }: Source): string {
  const { kind, host } = asserted(readAccount(stored), 'a stored account was read before')
  return kind === 'address' ? new URL(handle).host : host
}

function readSource(source: Json): Source {
  assert(Value.Check(Source, source), 'the source of an invoice has a known form')
  return source
}
