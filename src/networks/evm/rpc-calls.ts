import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { readArray, readObject } from '../rpc/json.ts'
import { TOO_LARGE } from '../rpc/json-rpc.ts'
import type { Call } from '../rpc/json-rpc-codec.ts'
import { readAddress, readBytes, readNumber, readQuantity, readWord, toQuantity } from './hex.ts'

export interface Header {
  height: number
  hash: string
  /** milliseconds since 1970 UTC */
  at: number
}

/** A transaction of a block, as far as it can be a payment, or what paid for one. */
export interface CoinTransfer {
  hash: string
  from: string
  /** empty where it makes a contract */
  to: string
  value: bigint
  /** it runs no program but what stands at its receiver */
  isPlain: boolean
}

export interface Block extends Header {
  transfers: CoinTransfer[]
}

export interface Log {
  contract: string
  topics: string[]
  /** hexadecimal bytes */
  bytes: string
  height: number
  blockHash: string
  txHash: string
  index: number
}

function readHeader(json: Json): Header {
  const block = readObject(json, 'a block')
  return {
    height: readNumber(block.number),
    hash: readWord(block.hash),
    at: readNumber(block.timestamp) * 1000,
  }
}

const lowerCase = (json: Json | undefined): string => (typeof json === 'string' ? json.toLowerCase() : '')

/**
 * Null for a transaction that neither pays nor comes from one of the addresses, of whatever kind that its
 * chain knows it is.
 */
function readTransfer(json: Json, addresses: Set<string>): CoinTransfer | null {
  const transaction = readObject(json, 'a transaction')
  const to = lowerCase(transaction.to)
  const isOwn = addresses.has(lowerCase(transaction.from))
  if (!isOwn && !addresses.has(to)) return null
  const value = readQuantity(transaction.value)
  if (!isOwn && value === 0n) return null
  const from = readAddress(transaction.from)
  const isPlain = to !== '' && (transaction.input ?? transaction.data) === '0x'
  return { hash: readWord(transaction.hash), from, to, value, isPlain }
}

function readLog(json: Json): Log {
  const log = readObject(json, 'a log')
  return {
    contract: readAddress(log.address),
    topics: readArray(log.topics, 'the topics of a log').map(readWord),
    bytes: readBytes(log.data),
    height: readNumber(log.blockNumber),
    blockHash: readWord(log.blockHash),
    txHash: readWord(log.transactionHash),
    index: readNumber(log.logIndex),
  }
}

const blockCall = (block: string, isFull: boolean): Call => ({
  method: 'eth_getBlockByNumber',
  params: [block, isFull],
})

export const latestHeader: Query<Header> = { call: blockCall('latest', false), read: readHeader }

/** The chain's own word of finality; null where the node knows none. */
export const finalizedHeader: Query<Header | null> = {
  call: blockCall('finalized', false),
  read: json => (json === null ? null : readHeader(json)),
  onRefused: () => null,
}

/** Null for a height that the node has no block of. */
export const headerAt = (height: number): Query<Header | null> => ({
  call: blockCall(toQuantity(height), false),
  read: json => (json === null ? null : readHeader(json)),
})

/** What a block moves to and from addresses, in lower case; null for one that is too large to be read. */
export const blockAt = (height: number, addresses: Set<string>): Query<Block | null> => ({
  call: blockCall(toQuantity(height), true),
  read(json) {
    const transactions = readArray(readObject(json, 'a block').transactions, 'transactions')
    const transfers = transactions.map(transaction => readTransfer(transaction, addresses))
    return { ...readHeader(json), transfers: transfers.filter(transfer => transfer !== null) }
  },
  onRefused(error) {
    if (error.code === TOO_LARGE) return null
    throw new NetworkError(`refuses eth_getBlockByNumber: "${error.message}"`)
  },
})

export interface Outcome {
  blockHash: string
  succeeded: boolean
  /** what its sender paid for it, at the least: a chain may take more for what it keeps elsewhere */
  fee: bigint
  logs: Log[]
}

/** How a transaction went; null where the node has none in a block. */
export const outcomeOf = (txHash: string): Query<Outcome | null> => ({
  call: { method: 'eth_getTransactionReceipt', params: [txHash] },
  read(json) {
    if (json === null) return null
    const receipt = readObject(json, 'a receipt')
    const price = receipt.effectiveGasPrice ?? '0x0'
    return {
      blockHash: readWord(receipt.blockHash),
      succeeded: readQuantity(receipt.status) === 1n,
      fee: readQuantity(receipt.gasUsed ?? '0x0') * readQuantity(price),
      logs: readArray(receipt.logs ?? [], 'logs').map(readLog),
    }
  },
})

/** Null where the node no longer knows the balances of that height. */
export const balanceAt = (address: string, height: number): Query<bigint | null> => ({
  call: { method: 'eth_getBalance', params: [address, toQuantity(height)] },
  read: readQuantity,
  onRefused: () => null,
})

/** How many transactions an account sent by that height; null where the node no longer knows. */
export const nonceAt = (address: string, height: number): Query<bigint | null> => ({
  call: { method: 'eth_getTransactionCount', params: [address, toQuantity(height)] },
  read: readQuantity,
  onRefused: () => null,
})

export interface LogFilter {
  address: string[]
  topics: Json[]
}

/** Null where the node finds the range too large. */
export const logsOf = (filter: LogFilter, from: number, to: number): Query<Log[] | null> => ({
  call: {
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) }],
  },
  read: json =>
    readArray(json, 'logs')
      .filter(log => readObject(log, 'a log').removed !== true)
      .map(readLog),
  onRefused(error) {
    if (from < to) return null
    throw new NetworkError(`refuses eth_getLogs of one block: "${error.message}"`)
  },
})

export const codeOf = (address: string): Query<string> => ({
  call: { method: 'eth_getCode', params: [address, 'latest'] },
  read: readBytes,
})

/** Null where the contract does not tell its decimals. */
export const decimalsOf = (contract: string): Query<bigint | null> => ({
  call: { method: 'eth_call', params: [{ to: contract, data: '0x313ce567' }, 'latest'] },
  read: json => (readBytes(json).length === 66 ? BigInt(readBytes(json)) : null),
  onRefused: () => null,
})
