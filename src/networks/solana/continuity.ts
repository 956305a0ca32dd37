import type { TrackedAccount } from './cursor.ts'
import type { Listing } from './new-signatures.ts'
import type { Transaction } from './transactions.ts'

/**
 * Whether the transactions of an account continue each other: each begins with the balance that the one
 * before left. Where one does not, the node has left out a transaction.
 */
export interface Continuity {
  /** the oldest transaction that does not continue the one before */
  gap: string | null
  /** the balance after each transaction that was read; null where it is unknown */
  after: Map<string, bigint | null>
  /** the balance after all of them */
  end: bigint | null
}

export function continuityOf(
  { account, balance }: TrackedAccount,
  { listed }: Listing,
  readSignatures: ReadonlySet<string>,
  transactions: ReadonlyMap<string, Transaction | null>,
): Continuity {
  const after = new Map<string, bigint | null>()
  let gap: string | null = null
  let end = balance === null ? null : BigInt(balance)
  for (const { signature } of listed.toReversed()) {
    if (!readSignatures.has(signature)) break
    const transaction = transactions.get(signature)
    const span = transaction?.balances.get(account)
    if (span && end !== null && span.before !== end) gap ??= signature
    // A failed transaction can cost a fee, and one that cannot be read can do anything.
    if (span) end = span.after
    else if (!transaction) end = null
    after.set(signature, end)
  }
  return { gap, after, end }
}
