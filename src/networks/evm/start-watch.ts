import type { Json } from '../../domain/metadata.ts'
import { readOrigin } from '../address-origin.ts'
import { type ChainConfig, coinOf } from '../evm-like/chain-config.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import {
  commonSettledHeight,
  isBeyond,
  isFromFuture,
  isOutOfReach,
  type KnownTips,
  requireFresh,
  type Tip,
  tipQueries,
} from '../evm-like/tip.ts'
import { NetworkError, type OwnAddress } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type Anchor, nothingCounted, readCursor, writeCursor } from './cursor.ts'
import { balanceAt, nonceAt, tokenBalanceAt } from './rpc-calls.ts'

/**
 * The depth of anchors. Blocks this far below the head are hardly ever replaced, and most nodes still know
 * the states there.
 */
const ANCHOR_DEPTH = 64

/**
 * Makes the first cursor of an address that is allocated now. Throws NetworkError, also for a node that is
 * behind, or far ahead of the known heights: a watch that begins too high would see no payment.
 */
export async function startWatch(
  node: Node,
  config: ChainConfig,
  known: KnownTips,
  own: OwnAddress,
): Promise<Json> {
  const [head, finalized] = await ask(node, tipQueries)
  const tip = { head, finalized }
  requireFresh(config, tip)
  known.requireReachable(config, head)
  known.note(head, config.clock())
  return readOrigin(own.source).kind === 'create2'
    ? startForwarder(node, config, tip)
    : startAccount(node, config, tip, own.address)
}

/** Starts a forwarder at the newest final block, since nothing is paid to it before its allocation. */
async function startForwarder(node: Node, config: ChainConfig, tip: Tip): Promise<Json> {
  const height = commonSettledHeight(config.assets, tip)
  const [header, again] = await ask(node, [headerAt(height), headerAt(tip.head.height)])
  // The blocks are checked, since a load balancer can answer from two nodes, and one may be behind.
  if (!header) throw new Reorganised(`does not know block ${height}`)
  if (again?.hash !== tip.head.hash) throw new Reorganised()
  return writeCursor({
    ...newCursor(config, tip, header),
    balance: 0n,
    startHeight: height,
    account: null,
  })
}

/** The block at which a watch begins, and the time when its address was allocated. */
interface Start {
  start: Header
  since: number
}

/**
 * Makes the cursor of an address that was allocated some time ago. An account that holds no coin now can be
 * watched even if the node has dropped its state of that time. Throws NetworkError.
 */
export async function startAt(
  node: Node,
  config: ChainConfig,
  own: OwnAddress,
  tip: Tip,
  { start, since }: Start,
): Promise<Json> {
  const { height, hash } = start
  const cursor = { ...newCursor(config, tip, start), startHeight: height, startedAt: since }
  if (readOrigin(own.source).kind === 'create2') return writeCursor({ ...cursor, balance: 0n, account: null })
  const [now, before] = await readAnchors(node, config, own.address, [tip.head.height, height])
  const anchor = before ?? (now?.balance === 0n ? { height, hash, balance: 0n, nonce: now.nonce } : null)
  if (!anchor)
    throw new NetworkError(`has dropped what accounts held at block ${height}: use an archive node`)
  if (anchor.hash !== hash) throw new Reorganised()
  const { balance, nonce } = anchor
  const tokens = await readTokens(node, config, own.address, height)
  const allocatedAfter = { height, at: start.at }
  return writeCursor({ ...cursor, balance, account: { nonce, anchor, allocatedAfter, tokens } })
}

const newCursor = (
  config: ChainConfig,
  { head }: Tip,
  { height, hash }: { height: number; hash: string },
) => ({
  height,
  hash,
  settled: { height, hash },
  seen: head.height,
  seenAt: config.clock(),
  startedAt: config.clock(),
  changes: [],
  ...nothingCounted,
})

/**
 * Starts an account at the head, since it may hold earlier payments. If the head is replaced, the chain is
 * read again from the anchor on, and payments that are older than that head still do not count.
 */
async function startAccount(node: Node, config: ChainConfig, tip: Tip, address: string): Promise<Json> {
  const { head } = tip
  const deep = Math.max(0, head.height - ANCHOR_DEPTH)
  const [now, before] = await readAnchors(node, config, address, [head.height, deep])
  const tokens = await readTokens(node, config, address, head.height)
  if (!now) throw new Reorganised('does not know the balances of its newest block')
  if (now.hash !== head.hash) throw new Reorganised()
  const { height, balance, nonce } = now
  const anchor = before ?? now
  return writeCursor({
    ...newCursor(config, tip, now),
    balance,
    startHeight: anchor.height,
    account: { nonce, anchor, allocatedAfter: { height, at: head.at }, tokens },
  })
}

/**
 * Reads the token balances of an account, by asset, without those that are zero or that the node does not
 * report.
 */
async function readTokens(
  node: Node,
  { assets }: ChainConfig,
  address: string,
  height: number,
): Promise<Record<string, bigint>> {
  const tokens = assets.flatMap(({ id, contract }) => (contract === null ? [] : [{ id, contract }]))
  const held = await ask(
    node,
    tokens.map(({ contract }) => tokenBalanceAt(contract, address, height)),
  )
  return Object.fromEntries(tokens.flatMap(({ id }, index) => (held[index] ? [[id, held[index]]] : [])))
}

/**
 * Returns true if a node has the cursor's blocks but another state of the account there. Also returns true if
 * the node does not have the cursor's block, and its head is so far below or above it that one of the two
 * heights is false, or if the time of the cursor's block is in the future. A state that the node does not
 * know contradicts nothing.
 */
export async function contradictsCursor(
  node: Node,
  config: ChainConfig,
  address: string,
  json: Json,
): Promise<boolean> {
  const cursor = readCursor(json)
  const { height, hash, balance, account } = cursor
  if (!account) return false
  const reported = [{ height, hash, balance, nonce: account.nonce }, account.anchor]
  const heights = reported.map(anchor => anchor.height)
  const others = await readAnchors(node, config, address, heights)
  const [head] = await ask(node, [tipQueries[0]])
  if (isFromFuture(account.allocatedAfter.at, config.clock(), head.at)) return true
  if (!others[0]) return isBeyond(config, head, height)
  if (isOutOfReach(config, head, cursor) && others[0].hash !== hash) return true
  return reported.some((anchor, index) => {
    const other = others[index]
    if (other?.hash !== anchor.hash) return false
    return other.balance !== anchor.balance || other.nonce !== anchor.nonce
  })
}

/**
 * Reads blocks with the states of an account; null for a state that the node has dropped. If the chain's coin
 * is not watched, balances and nonces count as zero.
 */
async function readAnchors(
  node: Node,
  config: ChainConfig,
  address: string,
  heights: number[],
): Promise<(Anchor | null)[]> {
  const hasCoin = coinOf(config) !== undefined
  const states = heights.flatMap(height => [balanceAt(address, height), nonceAt(address, height)])
  const answers = await ask<(Header | bigint | null)[]>(node, [
    ...heights.map(headerAt),
    ...(hasCoin ? states : []),
  ])
  return heights.map((height, index) => {
    const header = answers[index]
    const first = heights.length + 2 * index
    const [balance, nonce] = hasCoin ? answers.slice(first, first + 2) : [0n, 0n]
    if (!header || typeof header === 'bigint') return null
    if (typeof balance !== 'bigint' || typeof nonce !== 'bigint') return null
    return { height, hash: header.hash, balance, nonce }
  })
}
