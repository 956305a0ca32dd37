import type { Json } from '../../domain/metadata.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, tipQueries } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { ask } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toEvmAddress } from './address.ts'
import { balanceOf } from './coin-deposits.ts'
import { toBlockRef, writeCursor } from './cursor.ts'
import type { Node } from './node.ts'
import type { Rest } from './rest-api.ts'

/** The first cursor of an address that is allocated now: what is final already doesn't count. */
export async function startWatch({ rpc, rest }: Node, config: ChainConfig, address: string): Promise<Json> {
  const { first, seen, balance } =
    rpc || !rest ? await startByRpc(rpc!, config, toEvmAddress(address)) : await startByRest(rest)
  const start = toBlockRef(first)
  const now = config.clock()
  return writeCursor({
    ...start,
    start,
    startedAt: now,
    settled: start,
    finalTo: start.height,
    seen,
    seenAt: now,
    next: null,
    reviewedAt: now,
    hasCoinPayments: false,
    coinUntil: 0,
    balance,
  })
}

interface Start {
  first: Header
  seen: number
  balance: bigint | null
}

async function startByRpc(rpc: JsonRpc, { assets }: ChainConfig, address: string): Promise<Start> {
  const [head, finalized, balance] = await ask(rpc, [...tipQueries, balanceOf(address)])
  const height = commonSettledHeight(assets, { head, finalized })
  const [first] = await ask(rpc, [headerAt(height)])
  if (!first) throw new NetworkError(`does not know block ${height}`)
  return { first, seen: head.height, balance }
}

async function startByRest(rest: Rest): Promise<Start> {
  const first = await rest.newest('walletsolidity')
  const { height } = await rest.newest('wallet')
  return { first, seen: height, balance: null }
}
