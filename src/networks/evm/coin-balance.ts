import { type Header, nonceAt } from '../evm-like/rpc-calls.ts'
import type { Movements } from '../evm-like/token-transfers.ts'
import { NetworkError } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { type Account, type FoundChange, findChanges, type Step } from './balance-changes.ts'
import { askAtHead, type BalanceReader } from './balances.ts'
import type { ResumedWatch } from './resume.ts'

/**
 * Every change of the native balances since the cursors, in which block it happened. An account is left out
 * of which the node tells another past than was told before, since what it held may look like a payment; not
 * so a forwarder, which held nothing. Throws NetworkFault.
 */
export async function readChanges(
  node: Node,
  reader: BalanceReader,
  movements: Map<ResumedWatch, Movements>,
  head: Header,
): Promise<Map<ResumedWatch, Step[]>> {
  const resumedWatches = [...movements.keys()]
  const owned = resumedWatches.filter(({ cursor }) => cursor.account)
  const addresses = resumedWatches.map(({ address }) => address)
  const [balances, told] = await Promise.all([
    reader.read(node, addresses, head),
    askAtHead(
      node,
      head,
      owned.map(({ address }) => nonceAt(address, head.height)),
    ),
  ])
  if (told.includes(null)) throw new NetworkError('does not know the nonces of its newest block')
  const nonces = new Map(owned.map((resumed, index) => [resumed, told[index] ?? 0n]))
  const accounts = resumedWatches.map((resumed, index) =>
    accountOf(
      resumed,
      { balance: balances[index]!, nonce: nonces.get(resumed) ?? 0n },
      movements.get(resumed)!.flushes,
    ),
  )
  const found = await findChanges(node, accounts, head.height)
  const byAccount = Map.groupBy(found, ({ account }) => account)
  const own = resumedWatches.map((resumed, index): [ResumedWatch, FoundChange[]] => [
    resumed,
    byAccount.get(accounts[index]!) ?? [],
  ])
  const sure = own.filter(([{ cursor }, changes]) => !cursor.account || !changes.some(one => one.isDoubted))
  if (sure.length === 0) throw new NetworkError('tells another past of an account than was told before')
  return new Map(sure.map(([resumed, changes]) => [resumed, merged(resumed.cursor.changes, changes)]))
}

const accountOf = (
  { address, cursor }: ResumedWatch,
  head: Account['head'],
  flushes: Account['flushes'],
): Account => ({
  address,
  from: cursor.height,
  balance: cursor.balance,
  nonce: cursor.account?.nonce ?? null,
  head,
  changes: cursor.changes,
  flushes,
})

/** The known changes and the found ones, one for each block. */
function merged(known: Step[], found: Step[]): Step[] {
  const byHeight = Map.groupBy([...known, ...found], ({ height }) => height)
  return [...byHeight].map(([height, changes]) => ({
    height,
    amount: changes.reduce((sum, { amount }) => sum + amount, 0n),
    sent: changes.reduce((sum, { sent }) => sum + sent, 0n),
  }))
}
