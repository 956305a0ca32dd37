import { asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, requireFresh, tipQueries } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { ask } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toEvmAddress } from './address.ts'
import { balanceOf } from './coin-deposits.ts'
import { toBlockRef, writeCursor } from './cursor.ts'
import type { Node } from './node.ts'
import type { Rest } from './rest-api.ts'

/**
 * Makes the first cursor of an address that is allocated now, at the newest final block. Throws NetworkError,
 * also for an endpoint that is behind.
 */
export async function startWatch({ rpc, rest }: Node, config: ChainConfig, address: string): Promise<Json> {
  const { first, seen, balance } = rpc
    ? await startByRpc(rpc, config, toEvmAddress(address))
    : await startByRest(asserted(rest, 'a node serves JSON-RPC or REST'), config)
  const now = config.clock()
  // An index lists payments since a time. If that time were later than now, nobody would find the payment.
  const start = { ...toBlockRef(first), at: Math.min(first.at, now) }
  return writeCursor({
    ...start,
    start,
    startedAt: now,
    reportedAt: first.at,
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

async function startByRpc(rpc: JsonRpc, config: ChainConfig, address: string): Promise<Start> {
  const [head, finalized, balance] = await ask(rpc, [...tipQueries, balanceOf(address)])
  requireFresh(config, { head, finalized })
  const height = commonSettledHeight(config.assets, { head, finalized })
  const [first] = await ask(rpc, [headerAt(height)])
  if (!first) throw new NetworkError(`does not know block ${height}`)
  return { first, seen: head.height, balance }
}

async function startByRest(rest: Rest, config: ChainConfig): Promise<Start> {
  const first = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  requireFresh(config, { head, finalized: first })
  return { first, seen: head.height, balance: null }
}
