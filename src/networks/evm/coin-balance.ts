import { asserted } from '../../domain/errors.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import type { Flush, TokenTransfers } from '../evm-like/token-transfers.ts'
import { NetworkError } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import {
  type AccountState,
  type BalanceChange,
  type BalanceHistory,
  type FoundChange,
  findChanges,
} from './balance-changes.ts'
import { askAtHead } from './balances.ts'
import type { ResumedWatch } from './resume.ts'
import { nonceAt } from './rpc-calls.ts'

interface BalanceChanges {
  changes: Map<ResumedWatch, BalanceChange[]>
  /** addresses that held more at their cursors than was reported, since another node left payments out */
  richer: Set<ResumedWatch>
}

/**
 * Finds every change of the coin balances since the cursors, with its block. `balances` are the balances at
 * the head, by address. An account is left out of the changes if the node contradicts its cursor, since money
 * that it already held could look like a payment. A forwarder held nothing, so it is never left out. Throws
 * NetworkError.
 */
export async function readBalanceChanges(
  node: Node,
  balances: ReadonlyMap<string, bigint | null>,
  transfers: Map<ResumedWatch, TokenTransfers>,
  head: Header,
  settled: number,
): Promise<BalanceChanges> {
  const resumedWatches = [...transfers.keys()]
  if (resumedWatches.length === 0) return { changes: new Map(), richer: new Set() }
  const states = await readHeadStates(node, balances, resumedWatches, head)
  const histories = resumedWatches.map((resumed, index) =>
    toHistory(
      resumed,
      asserted(states[index], 'each watch has a state'),
      asserted(transfers.get(resumed), 'each watch has its transfers').flushes,
      settled,
    ),
  )
  const found = await findChanges(node, histories, head.height)
  const byHistory = Map.groupBy(found, ({ history }) => history)
  const all = resumedWatches.map((resumed, index): [ResumedWatch, FoundChange[]] => [
    resumed,
    byHistory.get(asserted(histories[index], 'each watch has a history')) ?? [],
  ])
  const isAny = (some: FoundChange[], wanted: FoundChange['contradiction'][]): boolean =>
    some.some(({ contradiction }) => wanted.includes(contradiction))
  const certain = all.filter(([{ cursor }, own]) => cursor.account === null || !isAny(own, ['less', 'more']))
  return {
    changes: new Map(certain.map(([resumed, own]) => [resumed, merge(resumed.cursor.changes, own)])),
    richer: new Set(all.flatMap(([resumed, own]) => (isAny(own, ['more']) ? [resumed] : []))),
  }
}

/** Reads the states at the head, in the order of the watches. Throws NetworkError. */
async function readHeadStates(
  node: Node,
  balances: ReadonlyMap<string, bigint | null>,
  resumedWatches: ResumedWatch[],
  head: Header,
): Promise<AccountState[]> {
  const accounts = resumedWatches.filter(({ cursor }) => cursor.account)
  const nonces = await askAtHead(
    node,
    head,
    accounts.map(({ address }) => nonceAt(address, head.height)),
  )
  if (nonces.includes(null)) throw new NetworkError('does not know the nonces of its newest block')
  const byWatch = new Map(accounts.map((resumed, index) => [resumed, nonces[index] ?? 0n]))
  return resumedWatches.map(resumed => ({
    balance: balances.get(resumed.address)!,
    nonce: byWatch.get(resumed) ?? 0n,
  }))
}

const toHistory = (
  { address, cursor }: ResumedWatch,
  head: AccountState,
  flushes: Flush[],
  settled: number,
): BalanceHistory => ({
  address,
  from: cursor.height,
  balance: cursor.balance,
  nonce: cursor.account?.nonce ?? null,
  head,
  boundary: Math.max(settled, cursor.settled.height),
  changes: cursor.changes,
  flushes,
})

/** Adds up the known and the found changes of each block. */
function merge(known: BalanceChange[], found: BalanceChange[]): BalanceChange[] {
  const byHeight = Map.groupBy([...known, ...found], ({ height }) => height)
  return [...byHeight].map(([height, changes]) => ({
    height,
    amount: changes.reduce((sum, { amount }) => sum + amount, 0n),
    sent: changes.reduce((sum, { sent }) => sum + sent, 0n),
    isRough: changes.some(({ isRough }) => isRough),
  }))
}
