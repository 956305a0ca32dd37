import type { Json } from '../../domain/metadata.ts'
import { NetworkError, type OwnAddress } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type ChainConfig, coinOf } from './chain-config.ts'
import { type Anchor, printCursor, readCursor } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'
import { balanceAt, type Header, headerAt, nonceAt } from './rpc-calls.ts'
import { commonHeight, type Tip, tipQuestions } from './tip.ts'

/** So far below the head a chain is hardly ever replaced, and most nodes still know how accounts stood. */
const ANCHOR_DEPTH = 64

/** From where the watch of an address begins that is given out now. Throws NetworkFault. */
export async function opening(node: Node, config: ChainConfig, own: OwnAddress): Promise<Json> {
  const [head, finalized] = await ask(node, tipQuestions)
  const tip = { head, finalized }
  return isForwarder(own.source)
    ? freshOpening(node, config, tip)
    : usedOpening(node, config, tip, own.address)
}

/** Nothing is at a forwarder before it is given out, so that what is final now need not be watched. */
async function freshOpening(node: Node, config: ChainConfig, tip: Tip): Promise<Json> {
  const height = commonHeight(config.assets, tip)
  const [header] = await ask<[Header | null]>(node, [headerAt(height)])
  if (!header) throw new NetworkError(`does not know block ${height}`)
  const { hash } = header
  return printCursor({ ...startOf(config, tip), height, hash, balance: 0n, opened: height, account: null })
}

const startOf = (config: ChainConfig, { head }: Tip) => ({
  seen: head.height,
  seenAt: config.clock(),
  changes: [],
})

/**
 * An account may hold what others paid, so that only what comes after the head counts. The head may still be
 * replaced: then it is read again from its anchor on, and what is older than the head there does not count
 * either.
 */
async function usedOpening(node: Node, config: ChainConfig, tip: Tip, address: string): Promise<Json> {
  const { head } = tip
  const deep = Math.max(0, head.height - ANCHOR_DEPTH)
  const [now, before] = await anchorsOf(node, config, address, [head.height, deep])
  if (!now) throw new NetworkError('does not know the balances of its newest block')
  if (now.hash !== head.hash) throw new Reorganised()
  const { height, hash, balance, nonce } = now
  const anchor = before ?? { height, hash, balance, nonce }
  return printCursor({
    ...startOf(config, tip),
    height,
    hash,
    balance,
    opened: anchor.height,
    account: { nonce, anchor, givenOut: { height, at: head.at } },
  })
}

/**
 * Whether a node tells of the same blocks that an account held something else there than its cursor says.
 * What it does not know is no contradiction.
 */
export async function contradicts(
  node: Node,
  config: ChainConfig,
  address: string,
  json: Json,
): Promise<boolean> {
  const { height, hash, balance, account } = readCursor(json)
  if (!account) return false
  const told = [{ height, hash, balance, nonce: account.nonce }, account.anchor]
  const heights = told.map(anchor => anchor.height)
  const others = await anchorsOf(node, config, address, heights)
  return told.some((anchor, index) => {
    const other = others[index]
    if (other?.hash !== anchor.hash) return false
    return other.balance !== anchor.balance || other.nonce !== anchor.nonce
  })
}

/** Null where the node does not know how the account stood, which only its coin asks for. */
async function anchorsOf(
  node: Node,
  config: ChainConfig,
  address: string,
  heights: number[],
): Promise<(Anchor | null)[]> {
  const states = heights.flatMap(height => [balanceAt(address, height), nonceAt(address, height)])
  const answers = await ask<(Header | bigint | null)[]>(node, [
    ...heights.map(headerAt),
    ...(coinOf(config) ? states : []),
  ])
  const headers = answers.splice(0, heights.length) as (Header | null)[]
  const told = coinOf(config) ? (answers as (bigint | null)[]) : states.map(() => 0n)
  return heights.map((height, index) => {
    const [header, balance, nonce] = [headers[index], told[2 * index], told[2 * index + 1]]
    const isKnown = header && typeof balance === 'bigint' && typeof nonce === 'bigint'
    return isKnown ? { height, hash: header.hash, balance, nonce } : null
  })
}
