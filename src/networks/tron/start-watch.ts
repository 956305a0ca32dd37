import type { Json } from '../../domain/metadata.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonHeight, tipQuestions } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { ask } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toAccount } from './account.ts'
import { balanceOf } from './coin-transfers.ts'
import { placeOf, printCursor } from './cursor.ts'
import type { Node } from './node.ts'
import type { Rest } from './rest-api.ts'

/** The cursor of a watch that begins at what is final now. Throws NetworkFault. */
export async function begin({ rpc, rest }: Node, config: ChainConfig, address: string): Promise<Json> {
  const { opened, seen, balance } =
    rpc || !rest ? await beginByRpc(rpc!, config, toAccount(address)) : await beginByRest(rest)
  const place = placeOf(opened)
  return printCursor({
    place,
    opened: place,
    seen,
    seenAt: config.clock(),
    next: null,
    hasCoins: false,
    balance,
  })
}

interface Beginning {
  opened: Header
  seen: number
  balance: bigint | null
}

async function beginByRpc(rpc: JsonRpc, { assets }: ChainConfig, account: string): Promise<Beginning> {
  const [head, finalized, balance] = await ask(rpc, [...tipQuestions, balanceOf(account)])
  const height = commonHeight(assets, { head, finalized })
  const [opened] = await ask(rpc, [headerAt(height)])
  if (!opened) throw new NetworkError(`does not know block ${height}`)
  return { opened, seen: head.height, balance }
}

async function beginByRest(rest: Rest): Promise<Beginning> {
  const opened = await rest.newest('walletsolidity')
  const { height } = await rest.newest('wallet')
  return { opened, seen: height, balance: null }
}
