import type { Json } from '../../src/domain/metadata.ts'
import { type FakeTransaction, payment } from '../support/monero-payment.ts'
import { blockHash, type Chain, INVENTED_BRANCH, outputsOf, type Transfer, transactionId } from './chain.ts'
import type { ActiveLie, Front } from './endpoint.ts'
import { goesToOldBackend } from './evm-front.ts'
import { type HashedHeader, MoneroBlocks } from './monero-blocks.ts'

interface MoneroParts {
  chain: Chain
  /** the addresses to which invented payments go */
  targets(): string[]
}

interface View extends MoneroParts {
  blocks: MoneroBlocks
  lie: ActiveLie | null
  /** the newest block that the daemon knows */
  head: number
  /** the newest block that it reports */
  top: number
}

interface Params {
  start_height?: number
  end_height?: number
  hash?: string
  txs_hashes?: string[]
}

const INVENTED_SERIAL = 0xf0f0f0
const INVENTED_AMOUNT = 10n ** 12n
/** Blocks in the unit of a lie: the lags of other, faster chains are in seconds. */
const BLOCKS = 0.1

class CallError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** A daemon of Monero, with the requests that Florin sends. */
export function moneroFront(parts: MoneroParts): Front {
  let requests = 0
  const blocks = new MoneroBlocks(parts.chain)
  return {
    beginsScan: ({ path }) => path === '/get_transaction_pool_hashes',
    answer({ path, body }, lie) {
      const view = viewFor({ ...parts, blocks }, lie, requests++)
      const answer = path === '/json_rpc' ? rpc(view, body) : direct(view, path, body)
      return { status: 200, text: JSON.stringify(answer) }
    },
  }
}

function viewFor(
  parts: Pick<View, 'chain' | 'targets' | 'blocks'>,
  lie: ActiveLie | null,
  ordinal: number,
): View {
  const isBehind = lie?.name === 'lag' || (lie?.name === 'splitLag' && goesToOldBackend(ordinal))
  const { head: newest } = parts.chain
  const head = isBehind ? newest - Math.ceil(lie.amount * BLOCKS) : newest
  const isAhead = lie?.name === 'ahead' || lie?.name === 'lostTip' || lie?.name === 'farTip'
  return { ...parts, lie, head, top: isAhead ? head + lie.amount : head }
}

const statusOf = ({ lie }: View): string => (lie?.name === 'unhealthy' ? 'BUSY' : 'OK')

function rpc(view: View, body: string): object {
  const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: Params }
  try {
    const answer = methods[method]
    if (!answer) throw new CallError(-32601, 'Method not found')
    return { jsonrpc: '2.0', id, result: { status: statusOf(view), ...answer(view, params) } }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

const methods: Record<string, (view: View, params: Params) => object> = {
  get_info: view => ({
    nettype: 'mainnet',
    height: view.top + 1,
    top_block_hash: hashAt(view, view.top),
    synchronized: true,
  }),
  get_block_headers_range: (view, { start_height: from = 0, end_height: to = 0 }) => {
    const { head, top, lie } = view
    const newest = lie?.name === 'ahead' ? top : head
    if (to > newest) throw new CallError(-2, 'Invalid start/end heights.')
    return { headers: Array.from({ length: to - from + 1 }, (_, index) => headerAt(view, from + index)) }
  },
  get_block: (view, { hash = '' }) => {
    const height = view.blocks.heightOf(hash)
    const isKnown = height !== undefined && height <= view.top && hashAt(view, height) === hash
    if (!isKnown) throw new CallError(-5, "Internal error: can't get block by hash.")
    const hashes = shownAt(view, height).map(transactionId)
    return { block_header: headerAt(view, height), ...(hashes.length > 0 && { tx_hashes: hashes }) }
  },
}

/**
 * The hash of a block. Only a daemon with the lie `ahead` has a block for each height above the head; other
 * lies report just a hash.
 */
const hashAt = (view: View, height: number): string =>
  height > view.head && view.lie?.name !== 'ahead'
    ? blockHash(INVENTED_BRANCH, height)
    : blockAt(view, height).hash

function blockAt({ blocks, head }: View, height: number): { hash: string; header: HashedHeader } {
  if (height <= head) return { hash: blocks.hashAt(height), header: blocks.headerAt(height) }
  let block = blocks.inventedOn(blocks.hashAt(head), head + 1)
  for (let next = head + 2; next <= height; next++) block = blocks.inventedOn(block.hash, next)
  return block
}

const minedAt = ({ chain, head }: View, height: number): Transfer[] =>
  height > head ? [] : chain.between(height, height)

/**
 * The transactions of a block as the daemon lists them. A lie can omit them, but the block's hash covers all.
 */
const shownAt = (view: View, height: number): Transfer[] =>
  view.lie?.name === 'omit' ? [] : minedAt(view, height)

function headerAt(view: View, height: number): object {
  const { hash, header } = blockAt(view, height)
  return { height, hash, num_txes: shownAt(view, height).length, ...header }
}

function direct(view: View, path: string, body: string): object {
  const status = statusOf(view)
  if (path === '/get_transaction_pool_hashes') {
    const hashes = view.lie?.name === 'omit' ? [] : poolOf(view).map(transactionId)
    return { status, ...(hashes.length > 0 && { tx_hashes: ordered(view, hashes) }) }
  }
  const { txs_hashes: wanted = [] } = JSON.parse(body) as Params
  const known = view.lie?.name === 'unknown' ? [] : [...view.chain.between(0, view.head), ...poolOf(view)]
  const found = known.filter(one => wanted.includes(transactionId(one)))
  const txs = ordered(
    view,
    found.map(
      (one): Json => ({
        tx_hash: transactionId(one),
        as_hex: '',
        as_json: JSON.stringify(transactionOf(one).json),
        double_spend_seen: false,
      }),
    ),
  )
  return { status, ...(txs.length > 0 && { txs }) }
}

function ordered<T>({ lie }: View, items: T[]): T[] {
  if (lie?.name === 'reorder') return items.toReversed()
  return lie?.name === 'repeat' ? items.flatMap(item => [item, item]) : items
}

/** Unconfirmed transactions, and those that only a lying endpoint reports. */
function poolOf({ chain, head, lie, targets }: View): Transfer[] {
  const waiting = chain.transfers.filter(({ height }) => height > head)
  if (lie?.name !== 'invent') return waiting
  const invented = targets().map(
    (to, index): Transfer => ({
      serial: INVENTED_SERIAL + index,
      to,
      from: '',
      asset: 'xmr',
      amount: INVENTED_AMOUNT,
      height: Number.POSITIVE_INFINITY,
      count: 1,
      kind: 'payment',
    }),
  )
  return [...waiting, ...invented]
}

/** An unlock height that no run reaches. */
const LOCKED_UNTIL = 4_000_000

const made = new WeakMap<Transfer, FakeTransaction>()

/** Returns the transaction of a transfer. Each is made once, because computing its one-time keys is slow. */
function transactionOf(transfer: Transfer): FakeTransaction {
  const known = made.get(transfer)
  if (known) return known
  const { to: address, serial, keyOf = serial, looks } = transfer
  const outputs = outputsOf(transfer).map(amount => ({ address, amount }))
  const unlockTime = looks === 'locked' ? LOCKED_UNTIL : 0
  const transaction = payment(outputs, { secret: BigInt(keyOf + 1) ** 9n, unlockTime })
  made.set(transfer, transaction)
  return transaction
}
