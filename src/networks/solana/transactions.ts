import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { malformedResponse, readArray, readCount, readObject } from '../rpc/json.ts'
import { readAmount, readBase58, readLamports, readText } from './responses.ts'
import { type Listed, transactionOf } from './rpc-calls.ts'
import { TOKEN_PROGRAM } from './token-account.ts'

/** What one transaction changed at one address of ours, of the coin or of one token. */
export interface Change {
  owner: string
  /** null for the coin */
  mint: string | null
  before: bigint
  after: bigint
}

export interface Transaction {
  /** milliseconds since 1970 UTC; null where the node does not tell */
  at: number | null
  changes: Change[]
  /** addresses of ours that signed it */
  signers: Set<string>
}

/** What is looked for in transactions. */
interface Wanted {
  owners: Set<string>
  mints: Set<string>
}

/** So many are in memory at once. */
const READ_AT_ONCE = 400

/** By signature; null for one of a kind that is not known here. Throws NetworkFault. */
export async function readTransactions(
  node: Node,
  listed: Listed[],
  wanted: Wanted,
): Promise<Map<string, Transaction | null>> {
  const bySignature = new Map(listed.map(one => [one.signature, one]))
  const entries = [...bySignature.values()]
  const read = new Map<string, Transaction | null>()
  for (let next = 0; next < entries.length; next += READ_AT_ONCE) {
    const together = entries.slice(next, next + READ_AT_ONCE)
    const answers = await ask(
      node,
      together.map(({ signature }) => transactionOf(signature)),
    )
    for (const [index, one] of together.entries()) {
      const json = answers[index]!
      read.set(one.signature, json === 'unreadable' ? null : readTransaction(json, one, wanted))
    }
  }
  return read
}

function readTransaction(json: Json, { signature, slot }: Listed, wanted: Wanted): Transaction {
  // Between the two answers the node may have changed to another fork.
  if (json === null) throw new NetworkError('lists a transaction that it does not tell')
  const { slot: told, blockTime, meta, transaction } = readObject(json, 'a transaction')
  const { message, signatures } = readObject(transaction, 'a transaction')
  if (readArray(signatures, 'signatures')[0] !== signature)
    throw malformedResponse('the transaction asked for')
  if (readCount(told, 'a slot') !== slot) throw new NetworkError('tells two slots of one transaction')
  const outcome = readObject(meta, 'the outcome of a transaction')
  const keys = readArray(readObject(message, 'a message').accountKeys, 'accounts').map(readKey)
  const at = blockTime === null || blockTime === undefined ? null : readCount(blockTime, 'a time') * 1000
  const signers = new Set(keys.filter(key => key.isSigner).map(key => key.address))
  const changes =
    outcome.err === null
      ? [...coinChanges(outcome, keys, wanted), ...tokenChanges(outcome, keys, wanted)]
      : []
  return { at, changes, signers: signers.intersection(wanted.owners) }
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

type Outcome = { [key: string]: Json }

function coinChanges({ preBalances, postBalances }: Outcome, keys: Key[], { owners }: Wanted): Change[] {
  const before = readArray(preBalances, 'balances')
  const after = readArray(postBalances, 'balances')
  if (before.length !== keys.length || after.length !== keys.length)
    throw malformedResponse('a balance of each account')
  return keys.flatMap(({ address }, index) => {
    if (!owners.has(address)) return []
    const [from, to] = [readLamports(before[index]), readLamports(after[index])]
    // More than a number holds exactly, nine million SOL, lies on no address that a payment is awaited on.
    if (from === to || !Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return []
    return [{ owner: address, mint: null, before: BigInt(from), after: BigInt(to) }]
  })
}

/** All token accounts of an owner together, so that what he moves between them is no change. */
function tokenChanges(
  { preTokenBalances, postTokenBalances }: Outcome,
  keys: Key[],
  wanted: Wanted,
): Change[] {
  const changes = new Map<string, Change>()
  const add = (side: 'before' | 'after', balances: Json | undefined) => {
    for (const balance of readArray(balances ?? [], 'token balances')) {
      const { owner, mint, amount } = readTokenBalance(balance, keys.length)
      if (owner === null || !wanted.owners.has(owner) || !wanted.mints.has(mint)) continue
      const key = `${owner} ${mint}`
      const change = changes.get(key) ?? { owner, mint, before: 0n, after: 0n }
      changes.set(key, { ...change, [side]: change[side] + amount })
    }
  }
  add('before', preTokenBalances)
  add('after', postTokenBalances)
  return [...changes.values()].filter(({ before, after }) => before !== after)
}

/** Without an owner where the node told none, as in old times, or where another program rules. */
function readTokenBalance(json: Json, accounts: number) {
  const { accountIndex, mint, owner, programId, uiTokenAmount } = readObject(json, 'a token balance')
  if (readCount(accountIndex, 'an index') >= accounts) throw malformedResponse('the index of an account')
  const isClassic = programId === undefined || programId === TOKEN_PROGRAM
  return {
    owner: typeof owner === 'string' && isClassic ? owner : null,
    mint: readText(mint, 'a mint'),
    amount: readAmount(readObject(uiTokenAmount, 'an amount').amount),
  }
}
