import { edit, type Fault, fault } from './fault.ts'

/** Faults in the code that reads chains. */
export const chainFaults: Fault[] = [
  fault(
    'monero-same-key',
    'two outputs with one key, of which only one can be spent, count twice',
    edit(
      'networks/monero/scan.ts',
      'return isFirst && !output.isLocked',
      'return (isFirst || true) && !output.isLocked',
    ),
  ),
  fault(
    'monero-height-lock',
    'an output that is locked until a height counts',
    edit(
      'networks/monero/transaction.ts',
      'isLocked: json.unlock_time !== 0',
      'isLocked: Number(json.unlock_time) > 500_000_000',
    ),
  ),
  fault(
    'evm-false-logs',
    'a token logs more than it moves, and the log counts',
    edit(
      'networks/evm/token-comparison.ts',
      'if (payout === null) return covered\n',
      'if (payout !== null || covered.size === 0) return covered\n',
    ),
  ),
  fault(
    'solana-wrong-program',
    'a balance of another token program counts',
    edit('networks/solana/tracked-accounts.ts', ' || state.owner !== TOKEN_PROGRAM', ''),
    edit(
      'networks/solana/transactions.ts',
      'programId === undefined || programId === TOKEN_PROGRAM',
      'programId === undefined || TOKEN_PROGRAM.length > 0',
    ),
  ),
  fault(
    'tron-rejected',
    'a rejected internal transfer counts',
    edit(
      'networks/tron/responses.ts',
      'if (rejected === true || amount === 0n) return []',
      'if ((rejected === true && false) || amount === 0n) return []',
    ),
  ),
  fault(
    'bitcoin-confirmation',
    'one confirmation too few settles, on chains of the Bitcoin kind',
    edit(
      'networks/bitcoin/scanned.ts',
      'Math.max(watch.asset.confirmations, 1) + 1',
      'Math.max(watch.asset.confirmations, 1) + 2',
    ),
  ),
  fault(
    'evm-confirmation',
    'one confirmation too few settles, on chains without finality of the EVM kind',
    edit(
      'networks/evm-like/tip.ts',
      'head.height - Math.max(confirmations, 1) + 1',
      'head.height - Math.max(confirmations, 1) + 2',
    ),
  ),
  fault(
    'quorum-amount',
    'two endpoints confirm a payment of which they tell different amounts',
    edit('networks/rpc/quorum.ts', '  a.amountAtomic === b.amountAtomic &&\n', ''),
  ),
  fault(
    'finality-ignored',
    'the newest block is final on EVM chains and TRON',
    edit('networks/evm-like/tip.ts', '? Math.min(finalized.height, head.height)', '? head.height'),
  ),
  fault(
    'esplora-one-index',
    'two outputs of one transaction have one index, so that one is lost',
    edit(
      'networks/bitcoin/readers/esplora.ts',
      'return [{ txId, index, script,',
      'return [{ txId, index: index * 0, script,',
    ),
  ),
  fault(
    'evm-internal-ids',
    'payments by contracts in one block have one ID, whatever their address',
    edit('networks/evm/payments.ts', '{address}`,', '{address.slice(0, 0)}`,'),
    // Since then, payments are compared among one address only.
    edit(
      'operations/incoming/store.ts',
      'attempt.provider === null ? !attempt.shared :',
      "attempt.provider === null ? attempt.address === '' :",
    ),
  ),
  fault(
    'bitcoin-before-opening',
    'money that came before the address was given out counts',
    edit(
      'networks/bitcoin/scanned.ts',
      'amount > 0n && !cursor.ignored.includes(shortId(txId)))\n    .filter(payment',
      'amount > 0n || cursor.ignored.includes(shortId(txId)))\n    .filter(payment',
    ),
  ),
  fault(
    'first-endpoint-only',
    'what the first endpoint leaves out is never looked for at another',
    edit('networks/rpc/rotation.ts', 'watch => watch.elsewhere === true && of(watch).row > 0', '() => false'),
    edit(
      'networks/rpc/rotation.ts',
      'others.find(watch => of(watch).row >= ROW_MAX)',
      'others.find(watch => of(watch).row > ROW_MAX)',
    ),
  ),
  fault(
    'replacement-keeps-time',
    'a transaction that replaces a small one was seen in time with all of its amount',
    edit(
      'domain/seen-amounts.ts',
      'const capped = BigInt(atomic) < amountAtomic ? BigInt(atomic) : amountAtomic',
      'const capped = BigInt(atomic) > 0n ? amountAtomic : 0n',
    ),
  ),
  fault(
    'tron-dust-first',
    'dust at one address delays the payment, since the oldest entries are looked up first',
    edit(
      'networks/tron/choose-entries.ts',
      'amount === null || amount >= smallest',
      'amount === null || amount >= smallest * 0n',
    ),
    edit(
      'networks/tron/choose-entries.ts',
      'one === other ? a[0].at - b[0].at : one > other ? -1 : 1',
      'one === other ? a[0].at - b[0].at : one > other ? 1 : -1',
    ),
  ),
  fault(
    'evm-far-start',
    'an account that is opened at a false height is never read',
    edit('networks/evm/start-watch.ts', '  known.requireReachable(config, head)\n', ''),
  ),
]
