import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { malformedResponse, readArray, readCount, readObject } from '../rpc/json.ts'
import { readBase58, readBase64, readLamports, readText } from './responses.ts'

type Commitment = 'confirmed' | 'finalized'

/** What is voted for by two thirds of the stake is seen; what was rooted since is final. */
const SEEN = 'confirmed'

const KEY_BYTES = 32
const NODE_UNHEALTHY = -32005
const METHOD_UNKNOWN = -32601

export const genesisHash: Query<string> = {
  call: { method: 'getGenesisHash', params: [] },
  read: json => readBase58(json, KEY_BYTES, 'a genesis hash'),
}

/** A node that keeps up with its chain, or that does not tell. */
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

/** One transaction that names an account, as a node lists it. */
export interface Listed {
  signature: string
  slot: number
  hasFailed: boolean
  /** null where the node does not tell */
  isFinalized: boolean | null
}

/** The most that a node lists at once. */
const LISTED_MAX = 1000

/**
 * The newest first, later than one signature and before another. A node that has not come to a slot
 * refuses.
 */
export const signaturesOf = (
  account: string,
  until: string | null,
  before: string | null,
  atLeast: number,
  limit = LISTED_MAX,
): Query<Listed[]> => ({
  call: {
    method: 'getSignaturesForAddress',
    params: [
      account,
      {
        limit,
        commitment: SEEN,
        ...(atLeast > 0 && { minContextSlot: atLeast }),
        ...(until !== null && { until }),
        ...(before !== null && { before }),
      },
    ],
  },
  read(json) {
    const listed = readArray(json, 'signatures').map(readListed)
    const isOrdered = listed.every(({ slot }, index) => index === 0 || slot <= listed[index - 1]!.slot)
    if (listed.length > limit || !isOrdered) throw malformedResponse('the newest signatures first')
    return listed
  },
})

/** By its characters alone, since there can be very many. */
function readSignature(json: Json | undefined): string {
  const text = readText(json, 'a signature')
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) throw malformedResponse('a signature')
  return text
}

function readListed(json: Json): Listed {
  const { signature, slot, err, confirmationStatus } = readObject(json, 'a signature')
  return {
    signature: readSignature(signature),
    slot: readCount(slot, 'a slot'),
    hasFailed: err !== null && err !== undefined,
    isFinalized: typeof confirmationStatus === 'string' ? confirmationStatus === 'finalized' : null,
  }
}

export interface Account {
  /** not exact where there are more than fit a number, which no address of ours will hold */
  lamports: number
  /** the program that alone may change it */
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

const valueIn = (json: Json): Json | undefined => readObject(json, 'a value with its context').value

/** Null for an account that does not exist. */
export const accountOf = (address: string): Query<Account | null> => ({
  call: { method: 'getAccountInfo', params: [address, { encoding: 'base64', commitment: SEEN }] },
  read: json => readAccount(valueIn(json) ?? null),
})

/** The most that a node tells of at once. */
export const ACCOUNTS_MAX = 100

/** Where a token account keeps what lies on it. */
const AMOUNT_SLICE = { offset: 64, length: 8 }

/** What lies on each, with no more of the content than a token's amount; null where a node cannot tell. */
export const accountsOf = (addresses: string[]): Query<(Account | null)[] | null> => ({
  call: {
    method: 'getMultipleAccounts',
    params: [addresses, { encoding: 'base64', commitment: SEEN, dataSlice: AMOUNT_SLICE }],
  },
  read(json) {
    const accounts = readArray(valueIn(json), 'accounts').map(readAccount)
    if (accounts.length !== addresses.length) throw malformedResponse('each account')
    return accounts
  },
  onRefused(error) {
    if (error.code === METHOD_UNKNOWN || /method/i.test(error.message)) return null
    throw new NetworkError(`refuses getMultipleAccounts: "${error.message}"`)
  },
})

export const balanceOf = (address: string): Query<bigint> => ({
  call: { method: 'getBalance', params: [address, { commitment: SEEN }] },
  read: json => BigInt(readCount(valueIn(json), 'lamports')),
})

/** Until when a transaction that names it is taken. */
export const latestBlockhash: Query<string> = {
  call: { method: 'getLatestBlockhash', params: [{ commitment: SEEN }] },
  read: json => readBase58(readObject(valueIn(json), 'a blockhash').blockhash, KEY_BYTES, 'a blockhash'),
}

/** As it was when this was written, for nodes that do not tell. */
const RENT_LAMPORTS = 890_880n

/** What an account holds at least, if it holds anything. */
export const rentOf: Query<bigint> = {
  call: { method: 'getMinimumBalanceForRentExemption', params: [0] },
  read: json => BigInt(readCount(json, 'lamports')),
  onRefused: () => RENT_LAMPORTS,
}

/** A node was asked for a transaction of a kind that came after this program. */
const VERSION_UNKNOWN = -32015

/** Null where the node has none; 'unreadable' for one of a version that is not known here. */
export const transactionOf = (signature: string): Query<Json | 'unreadable'> => ({
  call: {
    method: 'getTransaction',
    params: [signature, { commitment: SEEN, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }],
  },
  read: json => (json === null ? null : readObject(json, 'a transaction')),
  onRefused({ code, message }) {
    if (code === VERSION_UNKNOWN) return 'unreadable'
    throw new NetworkError(`refuses getTransaction: "${message}"`)
  },
})
