import type { ChainConfig } from '../evm-like/chain-config.ts'
import { readTip } from '../evm-like/headers.ts'
import { requireCurrent, type Tip } from '../evm-like/tip.ts'
import type { Watch } from '../port.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toEvmAddress } from './address.ts'
import { type Cursor, readCursor } from './cursor.ts'
import type { Rest } from './rest-api.ts'

/** A watch, with the cursor that it continues from on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  /** in the form of the EVM */
  address: string
  /** no address of TRON is a forwarder */
  payout: null
  cursor: Cursor
}

interface Resumed {
  tip: Tip
  resumedWatches: ResumedWatch[]
}

const toStoredWatch = (watch: Watch): ResumedWatch => ({
  watch,
  address: toEvmAddress(watch.address),
  payout: null,
  cursor: readCursor(watch.cursor),
})

/**
 * Reads the tip, and checks that the chain still has the blocks that the cursors build on. A watch whose
 * block is gone restarts at its first block. Throws NetworkError if the node is behind or has stopped.
 */
export async function resumeByRpc(rpc: JsonRpc, config: ChainConfig, watches: Watch[]): Promise<Resumed> {
  const stored = watches.map(toStoredWatch)
  const cursors = stored.map(({ cursor }) => cursor)
  const { tip, hashes } = await readTip(
    rpc,
    config,
    cursors,
    cursors.map(({ height }) => height),
  )
  const resumedWatches = stored.map(resumed => {
    const { cursor } = resumed
    const isOnChain = hashes.get(cursor.height) === cursor.hash
    return isOnChain ? resumed : { ...resumed, cursor: { ...cursor, ...cursor.start, next: null } }
  })
  return { tip, resumedWatches }
}

/** The same without JSON-RPC, which can't compare blocks. Throws NetworkError. */
export async function resumeByRest(rest: Rest, config: ChainConfig, watches: Watch[]): Promise<Resumed> {
  const finalized = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  const tip = { head, finalized }
  const resumedWatches = watches.map(toStoredWatch)
  requireCurrent(
    config,
    tip,
    resumedWatches.map(({ cursor }) => cursor),
  )
  return { tip, resumedWatches }
}
