import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { malformedResponse, readArray, readCount, readObject } from '../rpc/json.ts'
import { readBase58, readBase64, readLamports, readString } from './responses.ts'

type Commitment = 'confirmed' | 'finalized'

/** Blocks are read once they are confirmed by the votes of two thirds of the stake, before they are final. */
const COMMITMENT: Commitment = 'confirmed'

const KEY_BYTES = 32
const NODE_UNHEALTHY = -32005
const METHOD_UNKNOWN = -32601

export const genesisHash: Query<string> = {
  call: { method: 'getGenesisHash', params: [] },
  read: json => readBase58(json, KEY_BYTES, 'a genesis hash'),
}

/**
 * Asks for the node's health. Throws NetworkError for a node that is behind. A node without the call passes.
 */
export const health: Query<null> = {
  call: { method: 'getHealth', params: [] },
  read(json) {
    if (json === 'ok') return null
    throw new NetworkError('is not healthy')
  },
  onRefused({ code, message }) {
    if (code !== NODE_UNHEALTHY && !/unhealthy|behind/i.test(message)) return null
    throw new NetworkError(`is not healthy: "${message}"`)
  },
}

export const slotOf = (commitment: Commitment): Query<number> => ({
  call: { method: 'getSlot', params: [{ commitment }] },
  read: json => readCount(json, 'a slot'),
})

/** A transaction that names an account, as a node lists it. */
export interface ListedSignature {
  signature: string
  slot: number
  hasFailed: boolean
  /** true if the transaction is final; null if the node does not report this */
  isFinalized: boolean | null
}

/** Nodes list at most this many signatures at once. */
const LISTED_MAX = 1000

/**
 * Lists the transactions of an account between the signatures `until` and `before`, the newest first. A node
 * that has not reached the slot `minSlot` rejects the call.
 */
export const signaturesOf = (
  account: string,
  until: string | null,
  before: string | null,
  minSlot: number,
  limit = LISTED_MAX,
): Query<ListedSignature[]> => ({
  call: {
    method: 'getSignaturesForAddress',
    params: [
      account,
      {
        limit,
        commitment: COMMITMENT,
        ...(minSlot > 0 && { minContextSlot: minSlot }),
        ...(until !== null && { until }),
        ...(before !== null && { before }),
      },
    ],
  },
  read(json) {
    const listed = readArray(json, 'signatures').map(readListed)
    const isOrdered = listed.every(({ slot }, index) => index === 0 || slot <= listed[index - 1]!.slot)
    if (listed.length > limit || !isOrdered) throw malformedResponse('signatures, the newest first')
    return listed
  },
})

/** Reads a signature. Only its characters are checked, since there can be very many. */
function readSignature(json: Json | undefined): string {
  const signature = readString(json, 'a signature')
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) throw malformedResponse('a signature')
  return signature
}

function readListed(json: Json): ListedSignature {
  const { signature, slot, err, confirmationStatus } = readObject(json, 'a signature')
  return {
    signature: readSignature(signature),
    slot: readCount(slot, 'a slot'),
    hasFailed: err !== null && err !== undefined,
    isFinalized: typeof confirmationStatus === 'string' ? confirmationStatus === 'finalized' : null,
  }
}

export interface Account {
  /** the balance, which is not exact above the safe integers; no payment address holds that much */
  lamports: number
  /** the program that may change the account */
  owner: string
  isExecutable: boolean
  content: Uint8Array
}

function readAccount(json: Json): Account | null {
  if (json === null) return null
  const { lamports, owner, executable, data: content } = readObject(json, 'an account')
  return {
    lamports: readLamports(lamports),
    owner: readBase58(owner, KEY_BYTES, 'the owner of an account'),
    isExecutable: executable === true,
    content: readBase64(readArray(content, 'the content of an account')[0], 'the content of an account'),
  }
}

const valueIn = (json: Json): Json | undefined => readObject(json, 'a value with a context').value

/** Reads an account; null if it does not exist. */
export const accountOf = (address: string): Query<Account | null> => ({
  call: { method: 'getAccountInfo', params: [address, { encoding: 'base64', commitment: COMMITMENT }] },
  read: json => readAccount(valueIn(json) ?? null),
})

/** Nodes report at most this many accounts at once. */
export const ACCOUNTS_MAX = 100

/** The place of the balance in a token account. */
const AMOUNT_SLICE = { offset: 64, length: 8 }

/**
 * Reads accounts, whose content is only the balance of a token account. The result is null if the node does
 * not know the call.
 */
export const accountsOf = (addresses: string[]): Query<(Account | null)[] | null> => ({
  call: {
    method: 'getMultipleAccounts',
    params: [addresses, { encoding: 'base64', commitment: COMMITMENT, dataSlice: AMOUNT_SLICE }],
  },
  read(json) {
    const accounts = readArray(valueIn(json), 'accounts').map(readAccount)
    if (accounts.length !== addresses.length) throw malformedResponse('one entry for each account')
    return accounts
  },
  onRefused(error) {
    if (error.code === METHOD_UNKNOWN || /method/i.test(error.message)) return null
    throw new NetworkError(`rejected getMultipleAccounts: "${error.message}"`)
  },
})

export const balanceOf = (address: string): Query<bigint> => ({
  call: { method: 'getBalance', params: [address, { commitment: COMMITMENT }] },
  read: json => BigInt(readCount(valueIn(json), 'lamports')),
})

/** Reads the newest blockhash. A transaction that contains it is valid for about a minute. */
export const latestBlockhash: Query<string> = {
  call: { method: 'getLatestBlockhash', params: [{ commitment: COMMITMENT }] },
  read: json => readBase58(readObject(valueIn(json), 'a blockhash').blockhash, KEY_BYTES, 'a blockhash'),
}

/** The present minimum balance of an account, for nodes that do not report it. */
const RENT_LAMPORTS = 890_880n

/** Reads the smallest balance that an account must hold to exist. */
export const rentOf: Query<bigint> = {
  call: { method: 'getMinimumBalanceForRentExemption', params: [0] },
  read: json => BigInt(readCount(json, 'lamports')),
  onRefused: () => RENT_LAMPORTS,
}

/** The error for a transaction of a newer version than the call supports. */
const VERSION_UNKNOWN = -32015

/**
 * Reads a transaction; null if the node does not have it, 'unreadable' for a version that is not supported.
 */
export const transactionOf = (signature: string): Query<Json | 'unreadable'> => ({
  call: {
    method: 'getTransaction',
    params: [
      signature,
      { commitment: COMMITMENT, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 },
    ],
  },
  read: json => (json === null ? null : readObject(json, 'a transaction')),
  onRefused({ code, message }) {
    if (code === VERSION_UNKNOWN) return 'unreadable'
    throw new NetworkError(`rejected getTransaction: "${message}"`)
  },
})
