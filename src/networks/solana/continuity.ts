import type { Listing } from './new-signatures.ts'
import type { Transaction } from './transactions.ts'

/**
 * The balances of an account along its transactions. Each transaction must begin with the balance that the
 * transaction before it left. Otherwise the node has left a transaction out.
 */
export interface Continuity {
  /**
   * the oldest transaction that begins with another balance than the transaction before it left; null if
   * there is no such transaction
   */
  gap: string | null
  /** the balance after each transaction that was read; null if unknown */
  after: Map<string, bigint | null>
  /** the balance after all of these transactions; null if unknown */
  end: bigint | null
}

export function continuityOf(
  { account, start }: { account: string; start: bigint | null },
  { listed }: Listing,
  readSignatures: ReadonlySet<string>,
  transactions: ReadonlyMap<string, Transaction | null>,
): Continuity {
  const after = new Map<string, bigint | null>()
  let gap: string | null = null
  let end = start
  for (const { signature } of listed.toReversed()) {
    if (!readSignatures.has(signature)) break
    const transaction = transactions.get(signature)
    const span = transaction?.balances.get(account)
    if (span && end !== null && span.before !== end) gap ??= signature
    // The balance is unknown after a failed transaction, which can cost a fee, and after an unreadable
    // transaction.
    if (span) end = span.after
    else if (!transaction) end = null
    after.set(signature, end)
  }
  return { gap, after, end }
}
