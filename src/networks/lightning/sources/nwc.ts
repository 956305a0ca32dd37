import { hexToBytes } from '@noble/hashes/utils.js'
import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import type { JsonObject } from '../../rpc/json.ts'
import { bytes32In, msatIn, notANode, objectIn, requireSame, textIn } from './http.ts'
import { type NostrEvent, publicKeyOf, signed, type Talk, tagOf, talk04, talk44 } from './nostr.ts'
import { type InvoiceSource, nodeOffer, type SourceTools, sourceError, unsettled } from './port.ts'
import { openRelay, type Relay } from './relay.ts'

const INFO = 13194
const REQUEST = 23194
const RESPONSE = 23195
/** The time limit for the connection, the request and the answer of the wallet, which may be a phone. */
const TIMEOUT_MS = 15_000

/** Matches the methods of a connection that move no money. */
const receiving = /^(?:get_|list_|make_|lookup_|settle_hold_|cancel_hold_|sign_message$|notifications$)/

interface Answer {
  error: { code: string } | null
  result: JsonObject
}

/** The properties that a wallet publishes about itself. */
interface WalletInfo {
  talk: Talk
  encryption: string
  methods: string[]
}

/** A wallet behind a relay, and the key by which the wallet knows this connection. */
interface Connection {
  relay: string
  wallet: string
  key: Uint8Array
  tools: SourceTools
}

/** Opens a connection for each request, so that a broken connection affects no other request. */
async function connected<Found>(
  { relay: url, tools }: Connection,
  use: (relay: Relay) => Promise<Found>,
): Promise<Found> {
  const relay = await openRelay(tools.openSocket, url, AbortSignal.timeout(TIMEOUT_MS))
  try {
    return await use(relay)
  } finally {
    relay.close()
  }
}

async function infoFrom(relay: Relay, { wallet, key }: Connection): Promise<WalletInfo> {
  const filter = { kinds: [INFO], authors: [wallet], limit: 1 }
  const isInfo = ({ kind, pubkey }: NostrEvent) => kind === INFO && pubkey === wallet
  const info = await relay.find(filter, isInfo)
  if (info === null) throw sourceError('lightningNode', 'the relay does not know this wallet')
  const is44 = tagOf(info, 'encryption')?.split(/\s+/).includes('nip44_v2') ?? false
  const talk = (is44 ? talk44 : talk04)(key, wallet)
  return { talk, encryption: is44 ? 'nip44_v2' : 'nip04', methods: info.content.split(/\s+/) }
}

async function askOver(
  relay: Relay,
  { talk, encryption }: WalletInfo,
  { wallet, key, tools }: Connection,
  { method, params }: { method: string; params: JsonObject },
): Promise<Answer> {
  const created = Math.floor(tools.clock() / 1000)
  const tags = [
    ['p', wallet],
    ['encryption', encryption],
    ['expiration', String(created + TIMEOUT_MS / 1000)],
  ]
  const content = talk.encrypt(JSON.stringify({ method, params }))
  const request = signed({ kind: REQUEST, created_at: created, tags, content }, key)
  const filter = { kinds: [RESPONSE], authors: [wallet], '#e': [request.id], '#p': [publicKeyOf(key)] }
  const isAnswer = (event: NostrEvent) =>
    event.kind === RESPONSE && event.pubkey === wallet && tagOf(event, 'e') === request.id
  return readAnswer(talk.decrypt((await relay.ask(request, filter, isAnswer)).content), method)
}

const ask = (connection: Connection, method: string, params: JsonObject): Promise<JsonObject> =>
  connected(connection, async relay => {
    const info = await infoFrom(relay, connection)
    return resultOf(await askOver(relay, info, connection, { method, params }))
  })

async function requireReceiving(relay: Relay, connection: Connection): Promise<void> {
  const info = await infoFrom(relay, connection)
  const own = await askOver(relay, info, connection, { method: 'get_info', params: {} })
  // A wallet that uses one key for several connections reports the rights of this connection only when asked.
  const listed = own.error === null ? own.result.methods : null
  const methods = Array.isArray(listed) ? listed.map(String) : info.methods
  const other = methods.find(name => name !== '' && !receiving.test(name))
  if (other) throw sourceError('lightningPays', `the connection also allows ${other}`)
  const lacks = ['make_invoice', 'lookup_invoice'].some(name => !methods.includes(name))
  if (lacks) throw sourceError('lightningRights', 'the connection cannot issue and look up invoices')
}

/** A wallet by Nostr Wallet Connect (NIP-47): `account` is its relay, and the key of the wallet. */
export function nwcSource(account: string, secret: string, tools: SourceTools): InvoiceSource {
  const url = new URL(account)
  const wallet = url.searchParams.get('wallet') ?? ''
  url.searchParams.delete('wallet')
  const connection = { relay: url.href, wallet, key: hexToBytes(secret), tools }
  return {
    proof: 'preimage',
    checkRights: () => connected(connection, relay => requireReceiving(relay, connection)),
    offer: async () =>
      nodeOffer(async ({ amountMsat, description, expiryS }) => {
        const wanted = { amount: Number(amountMsat), description, expiry: expiryS }
        const made = await ask(connection, 'make_invoice', wanted)
        const paymentHash = bytes32In(made.payment_hash)
        return { text: textIn(made.invoice), paymentHash, handle: paymentHash ?? '' }
      }),
    async look(_, { text, paymentHash }) {
      const found = await ask(connection, 'lookup_invoice', { payment_hash: paymentHash })
      if (found.payment_hash !== undefined) requireSame(found.payment_hash, paymentHash)
      else requireSame(found.invoice, text)
      // Wallets of former versions report only the time of the settlement.
      const isSettled = found.state === undefined ? Number(found.settled_at) > 0 : found.state === 'settled'
      if (!isSettled) return unsettled
      const receivedMsat = msatIn(found.amount)
      return { isSettled: true, receivedMsat, preimage: bytes32In(found.preimage) }
    },
  }
}

function readAnswer(text: string | null, method: string): Answer {
  let json: Json = null
  try {
    json = JSON.parse(text ?? 'null') as Json
  } catch {}
  const { result_type: type, error, result } = objectIn(json)
  if (type !== method) throw notANode()
  if (error) return { error: { code: String(objectIn(error).code) }, result: {} }
  return { error: null, result: objectIn(result) }
}

const refusals = ['RESTRICTED', 'UNAUTHORIZED', 'NOT_IMPLEMENTED']

function resultOf({ error, result }: Answer): JsonObject {
  if (error === null) return result
  if (refusals.includes(error.code))
    throw sourceError('lightningRights', `the wallet refused a request: ${error.code.slice(0, 20)}`)
  throw new NetworkError('the wallet could not answer')
}

const connectionForm = /^nostr\+walletconnect:\/{0,2}([0-9a-f]{64})\?(.+)$/i

/** Returns the parts of a connection string; null for any other text. */
export function readConnection(text: string): { url: string; secret: string } | null {
  const [, wallet = '', query = ''] = connectionForm.exec(text.trim()) ?? []
  const params = new URLSearchParams(query)
  const relay = params.get('relay') ?? ''
  const secret = params.get('secret')?.toLowerCase() ?? ''
  if (wallet === '' || !/^[0-9a-f]{64}$/.test(secret) || !/^wss?:/.test(relay) || !URL.canParse(relay))
    return null
  const url = new URL(relay)
  url.searchParams.set('wallet', wallet.toLowerCase())
  return { url: url.href, secret }
}
