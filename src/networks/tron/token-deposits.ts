import { type ChainConfig, tokensOf } from '../evm-like/chain-config.ts'
import { readHeaders, requireSameBlock } from '../evm-like/headers.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, type Tip } from '../evm-like/tip.ts'
import { readTokenTransfers, type TokenDeposit } from '../evm-like/token-transfers.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type BlockRef, toBlockRef } from './cursor.ts'
import type { Deposit } from './payments.ts'
import type { Rest } from './rest-api.ts'
import { type ResumedWatch, resumeByRest, resumeByRpc } from './resume.ts'
import { verifyTokenEntries } from './verify.ts'
import { verifyLogs } from './verify-logs.ts'

/** What one address received of the tokens. */
export interface TokenDeposits {
  deposits: Deposit[]
  /** none is left out */
  isComplete: boolean
}

/** The first half of a scan. */
export interface TokenScan {
  tip: Tip
  /** a block that watches can continue from later; not always the newest such block */
  base: BlockRef
  tokens: Map<ResumedWatch, TokenDeposits>
}

const ADDRESSES_AT_ONCE = 3

/** Reads the logs of all addresses at once. Throws NetworkError. */
export async function readTokensByLogs(
  rpc: JsonRpc,
  config: ChainConfig,
  reader: LogReader,
  watches: GroupWatch[],
): Promise<TokenScan> {
  const { tip, resumedWatches } = await resumeByRpc(rpc, config, watches)
  const transfers = await readTokenTransfers(rpc, reader, config, resumedWatches, tip.head)
  const settled = commonSettledHeight(config.assets, tip)
  const found = [...transfers.values()].flatMap(({ deposits }) => deposits)
  const heights = [...found.map(({ log }) => log.height), settled, tip.head.height]
  const blocks = await readHeaders(rpc, heights)
  requireSameBlock(blocks, tip.head.height, tip.head.hash)
  await verifyLogs(
    rpc,
    found.map(({ log }) => log).filter(({ height }) => height <= settled),
  )

  const tokens = resumedWatches.map((resumed): [ResumedWatch, TokenDeposits] => {
    const { unread, ...own } = transfers.get(resumed)!
    const ordered = own.deposits.toSorted((a, b) => a.log.height - b.log.height || a.log.index - b.log.index)
    const deposits = ordered.map(deposit => toDeposit(resumed, deposit, blocks))
    return [resumed, { deposits, isComplete: unread.size === 0 }]
  })
  return { tip, base: toBlockRef(blocks.get(settled)!), tokens: new Map(tokens) }
}

function toDeposit(
  { address }: ResumedWatch,
  { asset, amount, log }: TokenDeposit,
  blocks: Map<number, Header>,
): Deposit {
  const { at, hash } = requireSameBlock(blocks, log.height, log.blockHash)
  const { height, txHash, contract, topics, bytes } = log
  const evidence = { kind: 'log', blockHash: hash, address: contract, topics, data: bytes }
  return { asset, amount, txId: txHash.slice(2), to: address, height, at, isSolid: true, evidence }
}

/** Reads an index, one address after another. Throws NetworkError. */
export async function readTokensByIndex(
  rest: Rest,
  config: ChainConfig,
  watches: GroupWatch[],
): Promise<TokenScan> {
  const { tip, resumedWatches } = await resumeByRest(rest, config, watches)
  const groups = [...Map.groupBy(resumedWatches, ({ address }) => address).values()]
  const lists = await mapLimit(groups, ADDRESSES_AT_ONCE, group => listTokens(rest, config, tip, group))
  const tokens = groups.flatMap((group, index) => group.map(resumed => [resumed, lists[index]!] as const))
  return { tip, base: toBlockRef(tip.finalized ?? tip.head), tokens: new Map(tokens) }
}

async function listTokens(
  rest: Rest,
  config: ChainConfig,
  tip: Tip,
  group: ResumedWatch[],
): Promise<TokenDeposits> {
  const { address } = group[0]!
  const since = Math.min(...group.map(({ cursor }) => cursor.at))
  const lists = await mapLimit([...tokensOf(config).keys()], 1, contract =>
    rest.tokenEntries(address, contract, since),
  )
  const entries = lists.flatMap(listed => listed.entries)
  const verified = await verifyTokenEntries(rest, config, tip, address, entries)
  const isComplete = verified.isComplete && lists.every(list => list.isComplete)
  return { deposits: verified.deposits, isComplete }
}
