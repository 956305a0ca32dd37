import type { Json } from '../../domain/metadata.ts'
import { readAddress, readBytes, readQuantity, readWord, toQuantity, toTopic } from '../evm-like/hex.ts'
import { blockCall, type Header, type Log, readHeader, readLog } from '../evm-like/rpc-calls.ts'
import { NetworkError } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import { readArray, readObject } from '../rpc/json.ts'
import { TOO_LARGE } from '../rpc/json-rpc.ts'

/** A transaction of a block that pays a watched address, or that a watched address sent. */
export interface CoinTransfer {
  hash: string
  from: string
  /** the receiver; empty for a transaction that creates a contract */
  to: string
  value: bigint
  /** true if the transaction has no calldata, so that it cannot call a function of a contract */
  isPlain: boolean
}

export interface Block extends Header {
  transfers: CoinTransfer[]
}

const lowerCase = (json: Json | undefined): string => (typeof json === 'string' ? json.toLowerCase() : '')

/** Reads a transaction of any type; null if it neither pays nor comes from one of the addresses. */
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

/**
 * Reads the transfers of a block to and from addresses, in lower case; null for a block that is too large.
 */
export const blockAt = (height: number, addresses: Set<string>): Query<Block | null> => ({
  call: blockCall(toQuantity(height), true),
  read(json) {
    const transactions = readArray(readObject(json, 'a block').transactions, 'transactions')
    const transfers = transactions.map(transaction => readTransfer(transaction, addresses))
    return { ...readHeader(json), transfers: transfers.filter(transfer => transfer !== null) }
  },
  onRefused(error) {
    if (error.code === TOO_LARGE) return null
    throw new NetworkError(`rejected eth_getBlockByNumber: "${error.message}"`)
  },
})

/** The outcome of a transaction. */
export interface Receipt {
  blockHash: string
  succeeded: boolean
  /**
   * the execution fee; some chains also take a fee from the sender for storing the transaction on Ethereum
   */
  fee: bigint
  logs: Log[]
}

/** Reads a receipt; null if the transaction is in no block of the node. */
export const receiptOf = (txHash: string): Query<Receipt | null> => ({
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

/** Reads a coin balance; null if the node has dropped the state of that height. */
export const balanceAt = (address: string, height: number): Query<bigint | null> => ({
  call: { method: 'eth_getBalance', params: [address, toQuantity(height)] },
  read: readQuantity,
  onRefused: () => null,
})

/**
 * Reads the number of transactions that an account had sent; null if the node has dropped the state of that
 * height.
 */
export const nonceAt = (address: string, height: number): Query<bigint | null> => ({
  call: { method: 'eth_getTransactionCount', params: [address, toQuantity(height)] },
  read: readQuantity,
  onRefused: () => null,
})

const BALANCE_OF_SELECTOR = '0x70a08231'
const WORD_LENGTH = 66

/**
 * Reads a token balance; null if the contract reports no balance, or the node has dropped the state of that
 * height.
 */
export const tokenBalanceAt = (contract: string, address: string, height: number): Query<bigint | null> => ({
  call: {
    method: 'eth_call',
    params: [{ to: contract, data: BALANCE_OF_SELECTOR + toTopic(address).slice(2) }, toQuantity(height)],
  },
  read: json => (readBytes(json).length === WORD_LENGTH ? BigInt(readBytes(json)) : null),
  onRefused: () => null,
})
