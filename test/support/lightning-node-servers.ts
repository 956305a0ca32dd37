import { createHash, randomBytes } from 'node:crypto'
import type { NodeConnection, NodeKind } from '../../src/domain/lightning.ts'
import { readInvoice } from '../../src/networks/lightning/bolt11.ts'
import { publicKeyOf, readEvent, signed, talk04, talk44 } from '../../src/networks/lightning/sources/nostr.ts'
import { makeInvoice } from '../../src/sandbox/lightning/make-bolt11.ts'

/** An invoice of a node, and the node's report of it. */
export interface NodeInvoice {
  text: string
  hash: string
  preimage: string | null
  isSettled: boolean
  amountMsat: bigint
  receivedMsat: bigint
}

type Rights = 'receive' | 'pay' | 'less'
type Changed = Partial<NodeInvoice>

const newPreimage = () => randomBytes(32)
const field = (number: number, value: Uint8Array) =>
  Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), value])
const base64 = (hex: string | null) => (hex === null ? '' : Buffer.from(hex, 'hex').toString('base64'))

function passwordOf(request: Request): string {
  const header = request.headers.get('authorization') ?? ''
  return Buffer.from(header.replace('Basic ', ''), 'base64').toString()
}

/** A macaroon of LND with these rights and a worthless signature. */
export function macaroonWith(rights: readonly string[]): string {
  const ops = rights.map(right => {
    const [entity = '', action = ''] = right.split(/:(.*)/)
    return field(3, Buffer.concat([field(1, Buffer.from(entity)), field(2, Buffer.from(action))]))
  })
  const identifier = Buffer.concat([
    Buffer.from([3]),
    field(1, randomBytes(16)),
    field(2, Buffer.from('0')),
    ...ops,
  ])
  const length = Buffer.from([(identifier.length & 127) | 128, identifier.length >> 7])
  const packets = [Buffer.from([2, 1, 3]), Buffer.from('lnd'), Buffer.from([2]), length, identifier]
  return Buffer.concat([...packets, Buffer.from([0, 0, 6, 32]), randomBytes(32)]).toString('hex')
}

export const runeWith = (restrictions: string): string =>
  Buffer.concat([randomBytes(32), Buffer.from(`=7&${restrictions}`)]).toString('base64url')

const invoiceRights = ['address:read', 'address:write', 'invoices:read', 'invoices:write', 'onchain:read']
const macaroons: Record<Rights, string> = {
  receive: macaroonWith(invoiceRights),
  pay: macaroonWith([...invoiceRights, 'offchain:write']),
  less: macaroonWith(['invoices:read']),
}
const runes: Record<Rights, string> = {
  receive: runeWith('method=invoice|method=listinvoices'),
  pay: runeWith('rate=60'),
  less: runeWith('method=listinvoices'),
}
const store = 'btcpay.store.'
const permissions: Record<Rights, string[]> = {
  receive: [`${store}cancreatelightninginvoice:S1`, `${store}canviewlightninginvoice:S1`],
  pay: [`${store}canuselightningnode:S1`],
  less: [`${store}canviewlightninginvoice:S1`],
}
const methods: Record<Rights, string[]> = {
  receive: ['get_info', 'make_invoice', 'lookup_invoice', 'list_transactions'],
  pay: ['get_info', 'make_invoice', 'lookup_invoice', 'pay_invoice'],
  less: ['get_info', 'lookup_invoice'],
}

/**
 * A node or service with its API, whose invoices are really signed. It is honest until a test changes its
 * reports.
 */
export function startNode(kind: NodeKind, clock: () => number) {
  const invoices = new Map<string, NodeInvoice>()
  const key = randomBytes(32)
  const wallet = { secret: randomBytes(32), client: randomBytes(32) }
  const node = {
    prefix: 'bc',
    expiryS: null as number | null,
    surplus: 0n,
    /** an earlier invoice that is returned instead of a new one */
    again: null as NodeInvoice | null,
    /** reports that replace the truth */
    claims: {} as Changed,
    /** replaces an HTTP answer, or a message of a relay */
    answer: (() => null) as () => Response | null,
    rights: 'receive' as Rights,
    encryption: 'nip44_v2 nip04' as string | null,
    host: '',
    asked: 0,
    connection,
    /** Pays an invoice like the buyer's wallet, with its amount or more. */
    pay(text: string, receivedMsat?: bigint): void {
      const { paymentHash, amountMsat } = readInvoice(text)
      const known = invoices.get(paymentHash)
      if (known) Object.assign(known, { isSettled: true, receivedMsat: receivedMsat ?? amountMsat })
    },
    issue,
    stop: () => server.stop(true),
  }

  function issue(amountMsat: bigint, expiryS: number): NodeInvoice {
    const preimage = newPreimage()
    const text = makeInvoice({
      ...{ amountMsat: amountMsat + node.surplus, preimage, description: 'Corner Coffee', now: clock() },
      ...{ expiryS: node.expiryS ?? expiryS, secret: randomBytes(32), key, prefix: node.prefix },
    })
    const hash = createHash('sha256').update(preimage).digest('hex')
    const made = {
      text,
      hash,
      preimage: preimage.toString('hex'),
      isSettled: false,
      amountMsat,
      receivedMsat: 0n,
    }
    invoices.set(hash, made)
    return made
  }

  const make = (amountMsat: bigint, expiryS: number) => node.again ?? issue(amountMsat, expiryS)
  const found = (isIt: (one: NodeInvoice) => boolean): NodeInvoice | null => {
    const known = [...invoices.values()].find(isIt)
    return known ? { ...known, ...node.claims } : null
  }
  const byHash = (hash: string) => found(one => one.hash === hash)

  function connection(rights: Rights = 'receive', secret?: string): NodeConnection {
    const url = kind === 'nwc' ? '' : `http://${node.host}`
    const relay = encodeURIComponent(`ws://${node.host}`)
    const wallets = `nostr+walletconnect://${publicKeyOf(wallet.secret)}?relay=${relay}`
    const secrets: Record<NodeKind, string> = {
      phoenixd: rights === 'pay' ? 'full' : 'limited',
      greenfield: 'token',
      lnd: macaroons[rights],
      cln: runes[rights],
      nwc: `${wallets}&secret=${wallet.client.toString('hex')}`,
    }
    node.rights = rights
    return {
      kind,
      url,
      store: kind === 'greenfield' ? 'S1' : '',
      secret: secret ?? secrets[kind],
      certificate: null,
    }
  }

  const servers: Record<Exclude<NodeKind, 'nwc'>, (path: string, request: Request) => Promise<unknown>> = {
    async phoenixd(path, request) {
      const password = passwordOf(request)
      if (password !== ':limited' && password !== ':full') return denied
      if (path === '/getinfo') return { nodeId: '02'.padEnd(66, 'a'), chain: 'mainnet' }
      if (path === '/payinvoice')
        return password === ':full' ? new Response('missing', { status: 400 }) : denied
      if (path === '/createinvoice') {
        const form = new URLSearchParams(await request.text())
        const { text, hash } = make(
          BigInt(form.get('amountSat') ?? 0) * 1000n,
          Number(form.get('expirySeconds')),
        )
        return { amountSat: Number(form.get('amountSat')), paymentHash: hash, serialized: text }
      }
      const one = byHash(path.slice('/payments/incoming/'.length))
      if (!one) return new Response('Unknown endpoint', { status: 404 })
      const { hash, preimage, isSettled, receivedMsat } = one
      // The node shows its preimage before the invoice is paid.
      return {
        paymentHash: hash,
        preimage,
        isPaid: isSettled,
        receivedSat: Number(receivedMsat / 1000n),
        fees: 0,
      }
    },
    async greenfield(path, request) {
      if (request.headers.get('authorization') !== 'token token') return denied
      if (path === '/api/v1/api-keys/current') return { permissions: permissions[node.rights] }
      const invoiceOf = ({ text, hash, preimage, isSettled, receivedMsat, amountMsat }: NodeInvoice) => ({
        ...{ id: hash.slice(0, 8), BOLT11: text, paymentHash: hash, status: isSettled ? 'Paid' : 'Unpaid' },
        ...{ amount: String(amountMsat), amountReceived: isSettled ? String(receivedMsat) : null },
        preimage: isSettled ? preimage : null,
      })
      if (request.method === 'GET') {
        const one = found(({ hash }) => hash.startsWith(path.split('/').at(-1) ?? '-'))
        return one ? invoiceOf(one) : new Response('{}', { status: 404 })
      }
      const { amount, expiry } = (await request.json()) as { amount: string; expiry: number }
      return invoiceOf(make(BigInt(amount), expiry))
    },
    async lnd(path, request) {
      if (request.headers.get('grpc-metadata-macaroon') !== macaroons[node.rights])
        return Response.json({ code: 2, message: 'verification failed' }, { status: 500 })
      if (request.method === 'POST') {
        const { value_msat, expiry } = (await request.json()) as { value_msat: string; expiry: string }
        const { text, hash } = make(BigInt(value_msat), Number(expiry))
        return { r_hash: base64(hash), payment_request: text, add_index: '1' }
      }
      const one = byHash(path.slice('/v1/invoice/'.length))
      if (!one) return Response.json({ code: 5, message: 'unable to locate invoice' }, { status: 404 })
      const { text, preimage, isSettled, receivedMsat } = one
      const state = isSettled ? 'SETTLED' : 'OPEN'
      // This node shows its preimage too.
      return {
        payment_request: text,
        r_preimage: base64(preimage),
        state,
        amt_paid_msat: String(receivedMsat),
      }
    },
    async cln(path, request) {
      if (request.headers.get('rune') !== runes[node.rights])
        return Response.json({ code: 1501, message: 'Not authorized' }, { status: 401 })
      const body = (await request.json()) as { amount_msat: number; expiry: number; label: string }
      if (path === '/v1/invoice') {
        const { text, hash } = make(BigInt(body.amount_msat), body.expiry)
        labels.set(body.label, hash)
        return Response.json({ bolt11: text, payment_hash: hash }, { status: 201 })
      }
      const one = byHash(labels.get(body.label) ?? '')
      if (!one) return { invoices: [] }
      const { text, hash, preimage, isSettled, receivedMsat } = one
      const paid = isSettled ? { payment_preimage: preimage, amount_received_msat: Number(receivedMsat) } : {}
      return {
        invoices: [{ bolt11: text, payment_hash: hash, status: isSettled ? 'paid' : 'unpaid', ...paid }],
      }
    },
  }
  const labels = new Map<string, string>()

  /** The answer of the wallet behind the relay. */
  function walletAnswer(method: string, params: Record<string, unknown>) {
    if (method === 'get_info') return { methods: methods[node.rights] }
    if (method === 'make_invoice') {
      const { text, hash } = make(BigInt(params.amount as number), params.expiry as number)
      return { invoice: text, payment_hash: hash, amount: params.amount }
    }
    const one = byHash(String(params.payment_hash))
    if (!one) return null
    const { text, hash, preimage, isSettled, receivedMsat, amountMsat } = one
    return {
      ...{ invoice: text, payment_hash: hash, state: isSettled ? 'settled' : 'pending' },
      ...{ amount: String(isSettled ? receivedMsat : amountMsat), preimage: isSettled ? preimage : null },
    }
  }

  const talkOf = () => (node.encryption?.includes('nip44') ? talk44 : talk04)
  const seconds = () => Math.floor(clock() / 1000)

  function relayAnswers([type, id, content]: unknown[]): unknown[][] {
    const filter = content as { kinds?: number[] }
    if (type === 'REQ' && filter.kinds?.[0] === 13194) {
      const tags = node.encryption === null ? [] : [['encryption', node.encryption]]
      const about = { kind: 13194, created_at: seconds(), tags, content: methods[node.rights].join(' ') }
      return [
        ['EVENT', id, signed(about, wallet.secret)],
        ['EOSE', id],
      ]
    }
    if (type === 'REQ') {
      subscription = String(id)
      return [['EOSE', id]]
    }
    const event = readEvent(id)
    if (type !== 'EVENT' || !event) return []
    const talk = talkOf()(wallet.secret, event.pubkey)
    const { method, params } = JSON.parse(talk.decrypt(event.content) ?? '{}')
    const result = walletAnswer(method, params)
    const error = result === null ? { code: 'NOT_FOUND', message: '' } : null
    const said = { result_type: method, error, result }
    const answer = {
      ...{ kind: 23195, created_at: seconds(), content: talk.encrypt(JSON.stringify(said)) },
      tags: [
        ['p', event.pubkey],
        ['e', event.id],
      ],
    }
    // A relay can send anything, so messages that the wallet did not sign must not count.
    const real = signed(answer, wallet.secret)
    const forged = { ...real, content: talk.encrypt('{}') }
    return [
      ['OK', event.id, true, ''],
      ['EVENT', subscription, forged],
      ['EVENT', subscription, real],
    ]
  }
  let subscription = ''

  const denied = new Response('Invalid authentication', { status: 401 })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, self) {
      node.asked++
      const lie = node.answer()
      if (lie) return lie
      if (kind === 'nwc') return self.upgrade(request) ? undefined : new Response('no', { status: 400 })
      const answer = await servers[kind](new URL(request.url).pathname, request)
      return answer instanceof Response ? answer.clone() : Response.json(answer)
    },
    websocket: {
      message(socket, text) {
        for (const answer of relayAnswers(JSON.parse(String(text)))) socket.send(JSON.stringify(answer))
      },
    },
  })
  node.host = `127.0.0.1:${server.port}`
  return node
}
