import { base58 } from '@scure/base'
import type { Json } from '../../src/domain/metadata.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from '../../src/networks/solana/token-account.ts'
import { type Chain, creditOf, type Transfer, transactionId } from './chain.ts'
import type { ActiveLie, Front } from './endpoint.ts'
import { goesToOldBackend } from './evm-front.ts'

interface SolanaParts {
  chain: Chain
  finalityLag: number
  coin: string
  /** mints of tokens, by asset */
  contracts: ReadonlyMap<string, string>
  /** the addresses to which invented payments go */
  targets(): string[]
}

interface View extends SolanaParts {
  lie: ActiveLie | null
  /** the newest slot that the node knows */
  head: number
}

interface Call {
  id: number
  method: string
  params: Json[]
}

class CallError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const OTHER_TOKEN_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const SIGNATURE_BYTES = 64
const RENT = 890_880
const STRANGER_LAMPORTS = 10n ** 9n
const FORGED_SERIAL = 0xf0f0f0
const FORGED_AMOUNT = 10n ** 12n
/** The number of slots for a unit of a lie, which is a minute or a block on other chains. */
const SLOTS = 10

/** A node of Solana, with the requests that Florin sends. */
export function solanaFront(parts: SolanaParts): Front {
  let calls = 0
  return {
    beginsScan: ({ body }) => body.includes('"getHealth"'),
    answer({ body }, lie) {
      const request = JSON.parse(body) as Call | Call[]
      const replies = [request].flat().map(call => reply(viewFor(parts, lie, calls++), call))
      const ordered = lie?.name === 'reorder' ? replies.toReversed() : replies
      return { status: 200, text: JSON.stringify(Array.isArray(request) ? ordered : ordered[0]) }
    },
  }
}

function viewFor(parts: SolanaParts, lie: ActiveLie | null, ordinal: number): View {
  const isBehind = lie?.name === 'lag' || (lie?.name === 'splitLag' && goesToOldBackend(ordinal))
  return { ...parts, lie, head: isBehind ? parts.chain.head - lie.amount * SLOTS : parts.chain.head }
}

function reply(view: View, { id, method, params }: Call): object {
  const answer = methods[method]
  try {
    if (!answer) throw new CallError(-32601, `the method ${method} does not exist`)
    return { jsonrpc: '2.0', id, result: answer(view, params) }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

interface Options {
  commitment?: string
  limit?: number
  until?: string
  before?: string
  minContextSlot?: number
}

const methods: Record<string, (view: View, params: Json[]) => Json> = {
  getGenesisHash: () => MAINNET,
  getHealth({ lie }) {
    if (lie?.name === 'unhealthy') throw new CallError(-32005, 'Node is behind by 99 slots')
    return 'ok'
  },
  getSlot: (view, [options]) => slotOf(view, options as Options),
  getAccountInfo: (view, [account]) => ({ context: {}, value: accountOf(view, account as string) }),
  getMultipleAccounts: (view, [accounts]) => ({
    context: {},
    value: (accounts as string[]).map(account => accountOf(view, account)),
  }),
  getSignaturesForAddress: (view, [account, options]) =>
    signaturesOf(view, account as string, options as Options),
  getTransaction: (view, [signature]) => transactionOf(view, signature as string),
}

function slotOf({ head, finalityLag, lie }: View, { commitment }: Options): number {
  if (lie?.name === 'farTip') return head + lie.amount
  return commitment === 'finalized' ? head - finalityLag : head
}

/** A payer in base58. Other families write it in hexadecimal. */
const payerOf = ({ from }: Transfer): string =>
  from.startsWith('0x')
    ? base58.encode(Uint8Array.from(Buffer.from(from.slice(2).padStart(64, '7'), 'hex')))
    : from

const signatureOf = (transfer: Pick<Transfer, 'serial'>): string => {
  const digits = transactionId(transfer).padEnd(2 * SIGNATURE_BYTES, 'e')
  return base58.encode(Uint8Array.from(Buffer.from(digits, 'hex')))
}

const mintOf = ({ contracts }: SolanaParts, { asset }: Transfer): string | null =>
  contracts.get(asset) ?? null

const accounts = new Map<string, string>()
const tokenAccount = (owner: string, mint: string): string => {
  const key = `${owner} ${mint}`
  if (!accounts.has(key)) accounts.set(key, tokenAccountOf(owner, mint))
  return accounts.get(key)!
}

/** The account that receives a transfer. The account of another program has an address of its own. */
function targetOf(view: SolanaParts, transfer: Transfer): string {
  const mint = transfer.looks === 'other-program' ? OTHER_TOKEN_PROGRAM : mintOf(view, transfer)
  return mint === null ? transfer.to : tokenAccount(transfer.to, mint)
}

/** The accounts in a transaction. The first transfer of a token creates the token account of its owner. */
function namedBy(view: View, transfer: Transfer): string[] {
  const target = targetOf(view, transfer)
  const isFirst = !view.chain.transfers.some(
    one => one.serial < transfer.serial && targetOf(view, one) === target,
  )
  return [payerOf(transfer), target, ...(isFirst ? [transfer.to] : [])]
}

const known = (view: View): Transfer[] => [
  ...view.chain.between(0, view.head),
  ...(view.lie?.name === 'forge' || view.lie?.name === 'invent' ? forged(view) : []),
]

/** Payments that only a lying endpoint reports. An invented one has no transaction. */
function forged({ chain, lie, targets, contracts, coin, finalityLag, head }: View): Transfer[] {
  const height = lie?.name === 'forge' ? head - finalityLag : head - (lie?.amount ?? 0)
  return targets().flatMap((to, index) =>
    [coin, ...contracts.keys()].map(
      (asset, place): Transfer => ({
        serial: FORGED_SERIAL + index * 10 + place,
        to,
        from: `0x${'e'.repeat(40)}`,
        asset,
        amount: FORGED_AMOUNT,
        height: Math.min(height, chain.head),
        count: 1,
        kind: 'payment',
      }),
    ),
  )
}

const MINT = Buffer.alloc(82)
MINT[44] = 6

const accountWith = (lamports: number, owner: string, content: Buffer): Json => ({
  lamports,
  owner,
  executable: false,
  data: [content.toString('base64'), 'base64'],
})

function accountOf(view: View, account: string): Json {
  if ([...view.contracts.values()].includes(account)) return accountWith(RENT, TOKEN_PROGRAM, MINT)
  const own = view.chain.between(0, view.head)
  const received = own.filter(one => targetOf(view, one) === account && !one.looks)
  const sent = own.filter(one => one.from === account)
  if (received.length === 0 && sent.length === 0) return null
  const balance = sumOf(received) - sumOf(sent)
  const mint = received[0] ? mintOf(view, received[0]) : null
  if (mint === null && balance <= 0n) return null
  if (mint === null) return accountWith(Number(balance), SYSTEM_PROGRAM, Buffer.alloc(0))
  const content = Buffer.alloc(8)
  content.writeBigUInt64LE(balance)
  return accountWith(RENT, TOKEN_PROGRAM, content)
}

const sumOf = (transfers: Transfer[]): bigint => transfers.reduce((sum, one) => sum + creditOf(one), 0n)
const errorOf = ({ looks }: Transfer): Json =>
  looks === 'failed' ? { InstructionError: [0, 'Custom'] } : null

/** The signatures of an account, newest first. */
function signaturesOf(view: View, account: string, options: Options): Json {
  const { head, lie, finalityLag } = view
  const { limit = 1000, until, before, minContextSlot = 0 } = options
  if (head < minContextSlot) throw new CallError(-32016, 'Minimum context slot has not been reached')
  if (lie?.name === 'omit') return []
  const listedTo = lie?.name === 'lateIndex' ? head - lie.amount * SLOTS : head
  const own = known(view)
    .filter(one => one.height <= listedTo && namedBy(view, one).includes(account))
    .toSorted((a, b) => b.height - a.height || b.serial - a.serial)
  const signatures = own.map(signatureOf)
  const from = before === undefined ? 0 : signatures.indexOf(before) + 1
  if (before !== undefined && from === 0) return []
  const end = until === undefined ? -1 : signatures.indexOf(until)
  const listed = own.slice(from, end === -1 ? undefined : end).slice(0, limit)
  const entries = listed.map(one => ({
    signature: signatureOf(one),
    slot: one.height,
    err: errorOf(one),
    confirmationStatus: one.height <= head - finalityLag ? 'finalized' : 'confirmed',
  }))
  if (lie?.name === 'reorder') entries.reverse()
  return lie?.name === 'repeat' ? entries.flatMap(entry => [entry, entry]) : entries
}

const isBefore = (one: Transfer, other: Transfer): boolean =>
  one.height < other.height || (one.height === other.height && one.serial < other.serial)

function transactionOf(view: View, signature: string): Json {
  const { chain, lie } = view
  if (lie?.name === 'unknown') return null
  const found = lie?.name === 'invent' ? chain.between(0, view.head) : known(view)
  const transfer = found.find(one => signatureOf(one) === signature)
  if (!transfer) return null
  const { to, amount, height } = transfer
  const mint = mintOf(view, transfer)
  const keys = [...new Set(namedBy(view, transfer))]
  const target = targetOf(view, transfer)
  const earlier = chain.between(0, view.head).filter(one => isBefore(one, transfer))
  const moved = (account: string): bigint =>
    sumOf(earlier.filter(one => targetOf(view, one) === account)) -
    sumOf(earlier.filter(({ from }) => from === account))
  const sent = mint === null ? creditOf(transfer) : 0n
  const program = transfer.looks === 'other-program' ? OTHER_TOKEN_PROGRAM : TOKEN_PROGRAM
  const payer = payerOf(transfer)
  const isStranger = payer !== transfer.from
  const before = keys.map(key => {
    if (key === payer && isStranger) return STRANGER_LAMPORTS + sent
    return key === target && mint !== null ? BigInt(RENT) : moved(key)
  })
  const after = before.map((lamports, at) => {
    if (keys[at] === target) return lamports + sent
    return keys[at] === payer ? lamports - sent : lamports
  })
  const token = { accountIndex: keys.indexOf(target), mint, owner: to, programId: program }
  const tokens = (units: bigint) =>
    mint === null ? [] : [{ ...token, uiTokenAmount: { amount: `${units}` } }]
  return {
    slot: height,
    blockTime: Math.floor(chain.timeOf(height) / 1000),
    transaction: {
      signatures: [signature],
      // The payout wallet signs a transfer from a seed address.
      message: {
        accountKeys: keys.map((pubkey, at) => ({ pubkey, signer: at === 0 && transfer.kind !== 'flush' })),
      },
    },
    meta: {
      err: errorOf(transfer),
      preBalances: before.map(Number),
      postBalances: after.map(Number),
      preTokenBalances: tokens(moved(target)),
      postTokenBalances: tokens(moved(target) + (transfer.looks === 'failed' ? 0n : amount)),
    },
  }
}
