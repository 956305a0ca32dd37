import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { malformedResponse, readArray, readCount, readObject } from '../rpc/json.ts'
import { readAmount, readBase58, readLamports, readString } from './responses.ts'
import { type ListedSignature, transactionOf } from './rpc-calls.ts'
import { TOKEN_PROGRAM } from './token-account.ts'

/** The change of a watched address's balance, in the coin or in one token, by one transaction. */
export interface BalanceChange {
  owner: string
  /** the token; null for the coin */
  mint: string | null
  before: bigint
  after: bigint
}

export interface Transaction {
  /** the time of the transaction, in milliseconds since 1970 UTC; null if the node does not report it */
  at: number | null
  changes: BalanceChange[]
  /** watched addresses that signed the transaction */
  signers: Set<string>
  /** the balances before and after the transaction, of each tracked account that it names */
  balances: Map<string, Span>
}

interface Span {
  before: bigint
  after: bigint
}

/** Selects the balances that are read from transactions. */
interface Filter {
  owners: Set<string>
  mints: Set<string>
  /** tracked accounts, each with its token; null for the coin */
  accounts: Map<string, string | null>
}

/** At most this many transactions are in memory at once. */
const BATCH = 400

/**
 * Reads transactions, by signature; null for a transaction of an unsupported version. Throws NetworkError.
 */
export async function readTransactions(
  node: Node,
  listed: ListedSignature[],
  filter: Filter,
): Promise<Map<string, Transaction | null>> {
  const bySignature = new Map(listed.map(one => [one.signature, one]))
  const entries = [...bySignature.values()]
  const read = new Map<string, Transaction | null>()
  for (let next = 0; next < entries.length; next += BATCH) {
    const batch = entries.slice(next, next + BATCH)
    const answers = await ask(
      node,
      batch.map(({ signature }) => transactionOf(signature)),
    )
    for (const [index, one] of batch.entries()) {
      const json = answers[index]!
      read.set(one.signature, json === 'unreadable' ? null : readTransaction(json, one, filter))
    }
  }
  return read
}

function readTransaction(json: Json, { signature, slot }: ListedSignature, filter: Filter): Transaction {
  // The node may have switched to another fork since it listed the transaction.
  if (json === null) throw new NetworkError('lists a transaction but does not return its details')
  const { slot: ownSlot, blockTime, meta, transaction } = readObject(json, 'a transaction')
  const { message, signatures } = readObject(transaction, 'a transaction')
  if (readArray(signatures, 'signatures')[0] !== signature)
    throw malformedResponse('the requested transaction')
  if (readCount(ownSlot, 'a slot') !== slot) throw new NetworkError('reports two slots for one transaction')
  const result = readObject(meta, 'the result of a transaction')
  const keys = readArray(readObject(message, 'a message').accountKeys, 'accounts').map(readKey)
  const at = blockTime === null || blockTime === undefined ? null : readCount(blockTime, 'a time') * 1000
  const signers = new Set(keys.filter(key => key.isSigner).map(key => key.address))
  const changes =
    result.err === null ? [...coinChanges(result, keys, filter), ...tokenChanges(result, keys, filter)] : []
  const balances = spansOf(result, keys, filter)
  return { at, changes, signers: signers.intersection(filter.owners), balances }
}

interface Key {
  address: string
  isSigner: boolean
}

const KEY_BYTES = 32

function readKey(json: Json): Key {
  const { pubkey, signer } = typeof json === 'string' ? { pubkey: json } : readObject(json, 'an account')
  return { address: readBase58(pubkey, KEY_BYTES, 'an account'), isSigner: signer === true }
}

type Result = { [key: string]: Json }

function coinChanges(
  { preBalances, postBalances }: Result,
  keys: Key[],
  { owners }: Filter,
): BalanceChange[] {
  const before = readArray(preBalances, 'balances')
  const after = readArray(postBalances, 'balances')
  if (before.length !== keys.length || after.length !== keys.length)
    throw malformedResponse('a balance for each account')
  return keys.flatMap(({ address }, index) => {
    if (!owners.has(address)) return []
    const [from, to] = [readLamports(before[index]), readLamports(after[index])]
    // A number above nine million SOL is not exact, and no payment address holds that much.
    if (from === to || !Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return []
    return [{ owner: address, mint: null, before: BigInt(from), after: BigInt(to) }]
  })
}

/** The balances of tracked accounts. A token account without a balance before or after holds nothing. */
function spansOf(result: Result, keys: Key[], { accounts }: Filter): Map<string, Span> {
  const spans = new Map<string, Span>()
  const before = balancesIn(result.preBalances, result.preTokenBalances, keys.length)
  const after = balancesIn(result.postBalances, result.postTokenBalances, keys.length)
  for (const [index, { address }] of keys.entries()) {
    const mint = accounts.get(address)
    if (mint !== undefined) spans.set(address, { before: before(index, mint), after: after(index, mint) })
  }
  return spans
}

/** Returns a function that reads the balance of the account at an index, in its token or in the coin. */
function balancesIn(coins: Json | undefined, tokens: Json | undefined, accounts: number) {
  const lamports = readArray(coins, 'balances')
  const amounts = new Map(readArray(tokens ?? [], 'token balances').map(json => tokenAmount(json, accounts)))
  return (index: number, mint: string | null): bigint =>
    mint === null ? BigInt(readLamports(lamports[index])) : (amounts.get(index) ?? 0n)
}

function tokenAmount(json: Json, accounts: number): [index: number, amount: bigint] {
  const { accountIndex } = readObject(json, 'a token balance')
  return [readCount(accountIndex, 'an index'), readTokenBalance(json, accounts).amount]
}

/**
 * Returns the changes of each owner's token accounts, added up, so that a transfer between two accounts of
 * one owner is no change.
 */
function tokenChanges(
  { preTokenBalances, postTokenBalances }: Result,
  keys: Key[],
  filter: Filter,
): BalanceChange[] {
  const changes = new Map<string, BalanceChange>()
  const add = (side: 'before' | 'after', balances: Json | undefined) => {
    for (const balance of readArray(balances ?? [], 'token balances')) {
      const { owner, mint, amount } = readTokenBalance(balance, keys.length)
      if (owner === null || !filter.owners.has(owner) || !filter.mints.has(mint)) continue
      const key = `${owner} ${mint}`
      const change = changes.get(key) ?? { owner, mint, before: 0n, after: 0n }
      changes.set(key, { ...change, [side]: change[side] + amount })
    }
  }
  add('before', preTokenBalances)
  add('after', postTokenBalances)
  return [...changes.values()].filter(({ before, after }) => before !== after)
}

/**
 * Reads a token balance. The owner is null in old transactions that do not name it, and for accounts of other
 * programs.
 */
function readTokenBalance(json: Json, accounts: number) {
  const { accountIndex, mint, owner, programId, uiTokenAmount } = readObject(json, 'a token balance')
  if (readCount(accountIndex, 'an index') >= accounts) throw malformedResponse('the index of an account')
  const isClassic = programId === undefined || programId === TOKEN_PROGRAM
  return {
    owner: typeof owner === 'string' && isClassic ? owner : null,
    mint: readString(mint, 'a mint'),
    amount: readAmount(readObject(uiTokenAmount, 'an amount').amount),
  }
}
