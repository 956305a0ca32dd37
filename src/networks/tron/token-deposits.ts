import { asserted } from '../../domain/errors.ts'
import { type ChainConfig, tokensOf } from '../evm-like/chain-config.ts'
import { readHeaders, requireSameBlock } from '../evm-like/headers.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, type Tip } from '../evm-like/tip.ts'
import { readTokenTransfers, type TokenDeposit } from '../evm-like/token-transfers.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { smallestOf } from './choose-entries.ts'
import { type BlockRef, toBlockRef } from './cursor.ts'
import type { Limit } from './limit.ts'
import { type AddressList, readLists } from './list-address.ts'
import type { Deposit } from './payments.ts'
import type { Rest } from './rest-api.ts'
import { type ResumedWatch, resumeByRest, resumeByRpc } from './resume.ts'
import { verifyTokenEntries } from './verify.ts'
import { verifyLogs } from './verify-logs.ts'

/** The token payments to one address. */
export type TokenDeposits = AddressList

/** The first half of a scan, which reads tokens. */
export interface TokenScan {
  tip: Tip
  /** a final block from which watches can continue later */
  base: BlockRef
  tokens: Map<ResumedWatch, TokenDeposits>
}

/** The fields of a list that was read to its end, as logs always are. */
const wholeList = { isPartial: false, isCut: false, from: null }

/** Reads token payments of all addresses at once, by their logs. Throws NetworkError. */
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
    const { unread, ...own } = asserted(transfers.get(resumed), 'each watch has its transfers')
    const ordered = own.deposits.toSorted((a, b) => a.log.height - b.log.height || a.log.index - b.log.index)
    const deposits = ordered.map(deposit => toDeposit(resumed, deposit, blocks))
    return [resumed, { ...wholeList, deposits, isComplete: unread.size === 0 }]
  })
  return {
    tip,
    base: toBlockRef(asserted(blocks.get(settled), 'the settled block was read')),
    tokens: new Map(tokens),
  }
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

/**
 * Reads token payments in an index, one address after another. A watch is missing if the endpoint rejects
 * requests now. Throws NetworkError.
 */
export async function readTokensByIndex(
  { rest, isLocal }: { rest: Rest; isLocal: boolean },
  config: ChainConfig,
  watches: GroupWatch[],
  limit: Limit,
): Promise<TokenScan> {
  const { tip, resumedWatches } = await resumeByRest(rest, config, watches)
  const source = { rest, isLocal, tip, limit }
  const listed = [...tokensOf(config)]
  const groups = [...Map.groupBy(resumedWatches, ({ address }) => address).values()]
  const lists = await mapLimit(listed, 1, ([contract, asset]) =>
    readLists(
      source,
      {
        name: 'tokens',
        isOptional: () => false,
        list: (address, since) => rest.tokenEntries(address, contract, since),
        smallestOf: group =>
          smallestOf(
            group.map(({ watch }) => watch),
            asset,
          ),
        verify: (address, some) => verifyTokenEntries(source, config, address, some),
      },
      groups,
    ),
  )
  const tokens = resumedWatches.flatMap((resumed): [ResumedWatch, TokenDeposits][] => {
    const own = lists.map(list => list.get(resumed.address)).filter(list => list !== undefined)
    return own.length < listed.length ? [] : [[resumed, joined(own)]]
  })
  return { tip, base: toBlockRef(tip.finalized ?? tip.head), tokens: new Map(tokens) }
}

const joined = (lists: AddressList[]): TokenDeposits => ({
  deposits: lists.flatMap(({ deposits }) => deposits),
  isComplete: lists.every(({ isComplete }) => isComplete),
  isPartial: lists.some(({ isPartial }) => isPartial),
  isCut: lists.some(({ isCut }) => isCut),
  from: lists.reduce<number | null>((least, { from }) => earlier(least, from), null),
})

/** Returns the earlier of two times. Null stands for a list that every scan reads to its end. */
const earlier = (a: number | null, b: number | null): number | null =>
  a !== null && b !== null ? Math.min(a, b) : (a ?? b)
