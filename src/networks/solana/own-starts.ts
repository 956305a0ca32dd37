import { asserted } from '../../domain/errors.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { TrackedAccount } from './cursor.ts'
import type { ScannedWatch } from './results.ts'
import { type ListedSignature, signaturesOf } from './rpc-calls.ts'
import { readTransactions, type Transaction } from './transactions.ts'

/** An account whose first new transaction begins with another balance than the stored one. */
interface Contradicted {
  tracked: TrackedAccount
  first: ListedSignature
}

/**
 * Finds accounts whose first new transaction contradicts the stored balance, and asks the node for their
 * balance before it: the one that the transaction before it left, or zero if there is none. Another endpoint
 * may have reported the stored balance falsely. If this node has left a transaction out, its own balance does
 * not fit either. Accounts whose balance is unknown are missing in the result. Throws NetworkError.
 */
export async function ownStarts(
  node: Node,
  scanned: readonly ScannedWatch[],
  transactions: ReadonlyMap<string, Transaction | null>,
): Promise<Map<TrackedAccount, bigint>> {
  const contradicted = scanned.flatMap(({ listings }) =>
    [...listings].flatMap(([tracked, { listed }]): Contradicted[] => {
      const first = listed.at(-1)
      const span = first && transactions.get(first.signature)?.balances.get(tracked.account)
      return span && tracked.balance !== null && span.before !== BigInt(tracked.balance)
        ? [{ tracked, first }]
        : []
    }),
  )
  if (contradicted.length === 0) return new Map()
  const lists = await ask(
    node,
    contradicted.map(({ tracked: { account }, first }) =>
      signaturesOf(account, null, first.signature, first.slot, 1),
    ),
  )
  const earlier = await readTransactions(node, lists.flat(), {
    owners: new Set(),
    mints: new Set(),
    accounts: new Map(contradicted.map(({ tracked: { account, mint } }) => [account, mint])),
  })
  return new Map(
    contradicted.flatMap(({ tracked }, index): [TrackedAccount, bigint][] => {
      const [last] = asserted(lists[index], 'each account was listed')
      const balance = last ? earlier.get(last.signature)?.balances.get(tracked.account)?.after : 0n
      return balance === undefined ? [] : [[tracked, balance]]
    }),
  )
}
