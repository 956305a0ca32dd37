import type { Json } from '../../domain/metadata.ts'
import type { Header, Log } from '../evm-like/rpc-calls.ts'
import { malformedResponse, readArray, readObject } from '../rpc/json.ts'
import { readAddress } from './address.ts'

/** A transfer of TRX, in sun. */
export interface CoinTransfer {
  from: string
  to: string
  amount: bigint
}

/** The entry of an index for a payment in TRX. */
export interface CoinEntry {
  txId: string
  /** the time of the payment, in milliseconds since 1970 UTC */
  at: number
  /** the amount in sun; null if a contract paid */
  amount: bigint | null
  /** the index's copy of the transfer; null if a contract paid */
  transfer: CoinTransfer | null
}

export interface TokenEntry {
  txId: string
  at: number
  amount: bigint | null
}

/** A transaction in a block, as a node reports it. */
export interface Outcome {
  txId: string
  height: number
  at: number
  succeeded: boolean
  logs: Log[]
  /** transfers that contracts made during the transaction */
  internals: CoinTransfer[]
}

function integer(json: Json | undefined, expected: string): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw malformedResponse(expected)
  return json as number
}

function hexOf(json: Json | undefined, pattern: RegExp, expected: string): string {
  if (typeof json !== 'string' || !pattern.test(json)) throw malformedResponse(expected)
  return json.toLowerCase()
}

const word = (json: Json | undefined, expected: string): string => hexOf(json, /^[0-9a-f]{64}$/i, expected)

/** Reads a list, which nodes leave out if it is empty. */
const listOf = (json: Json | undefined, expected: string): Json[] =>
  json === undefined || json === null ? [] : readArray(json, expected)

/** Reads a block's header. Nodes leave out zeros, so the first block has no number and no time. */
export function readHeader(json: Json): Header {
  const { blockID, block_header } = readObject(json, 'a block')
  const { raw_data } = readObject(block_header, "a block's header")
  const { number = 0, timestamp = 0 } = readObject(raw_data, "a block's header")
  return {
    height: integer(number, "a block's number"),
    hash: `0x${word(blockID, "a block's id")}`,
    at: integer(timestamp, "a block's time"),
  }
}

/** Reads a transaction in a block; null if the node has no such transaction in a block. */
export function readOutcome(json: Json, txId: string): Outcome | null {
  const outcome = readObject(json, 'a transaction')
  if (Object.keys(outcome).length === 0) return null
  if (word(outcome.id, 'the id of a transaction') !== txId)
    throw malformedResponse('the transaction that was asked for')
  const height = integer(outcome.blockNumber, "a block's number")
  const receipt = outcome.receipt === undefined ? {} : readObject(outcome.receipt, 'a receipt')
  const ran = receipt.result ?? 'DEFAULT'
  return {
    txId,
    height,
    at: integer(outcome.blockTimeStamp, "a block's time"),
    succeeded: outcome.result !== 'FAILED' && (ran === 'SUCCESS' || ran === 'DEFAULT'),
    logs: listOf(outcome.log, 'logs').map((log, index) => readLog(log, { txId, height, index })),
    internals: listOf(outcome.internal_transactions, 'internal transactions').flatMap(readInternal),
  }
}

function readLog(json: Json, { txId, height, index }: { txId: string; height: number; index: number }): Log {
  const { address, topics, data = '' } = readObject(json, 'a log')
  return {
    contract: readAddress(address),
    topics: listOf(topics, 'the topics of a log').map(topic => `0x${word(topic, 'a topic')}`),
    bytes: `0x${hexOf(data, /^(?:[0-9a-f]{2})*$/i, 'the data of a log')}`,
    height,
    blockHash: '',
    txHash: `0x${txId}`,
    index,
  }
}

/** Returns one transfer; empty for a rejected call, which moved nothing, and for TRC-10 tokens. */
function readInternal(json: Json): CoinTransfer[] {
  const { caller_address, transferTo_address, callValueInfo, rejected } = readObject(json, 'a transaction')
  const amount = listOf(callValueInfo, 'values').reduce<bigint>((sum, value) => {
    const { callValue = 0, tokenId } = readObject(value, 'a value')
    return tokenId ? sum : sum + BigInt(integer(callValue, 'an amount'))
  }, 0n)
  if (rejected === true || amount === 0n) return []
  return [{ from: readAddress(caller_address), to: readAddress(transferTo_address), amount }]
}

/** Reads a transfer of TRX; null for a transaction that is of another kind or failed. */
export function readTransfer(json: Json, txId: string): CoinTransfer | null {
  const { txID, raw_data, ret } = readObject(json, 'a transaction')
  if (word(txID, 'the id of a transaction') !== txId)
    throw malformedResponse('the transaction that was asked for')
  const { contract } = readObject(raw_data, 'a transaction')
  const [only, ...others] = readArray(contract, 'the contract of a transaction')
  const { type, parameter } = readObject(only, 'the contract of a transaction')
  if (others.length > 0 || type !== 'TransferContract') return null
  const [outcome] = readArray(ret, 'the outcome of a transaction')
  if (readObject(outcome, 'the outcome of a transaction').contractRet !== 'SUCCESS') return null
  const { value } = readObject(parameter, 'the parameter of a transaction')
  const { amount, owner_address, to_address } = readObject(value, 'a transfer')
  return {
    from: readAddress(owner_address),
    to: readAddress(to_address),
    amount: BigInt(integer(amount, 'an amount')),
  }
}

/**
 * Reads an entry for a payment in TRX; null for any other entry, such as a call, a TRC-10 token or a vote.
 */
export function readCoinEntry(json: Json): CoinEntry | null {
  const entry = readObject(json, 'a transaction')
  const at = integer(entry.block_timestamp, "a block's time")
  if (entry.internal_tx_id !== undefined) {
    return { txId: word(entry.tx_id, 'the id of a transaction'), at, amount: null, transfer: null }
  }
  const txId = word(entry.txID, 'the id of a transaction')
  const transfer = readTransfer(json, txId)
  return transfer && { txId, at, amount: transfer.amount, transfer }
}

/** Reads an entry for a token; null for a token of another contract, whatever its name, and for zero. */
export function readTokenEntry(json: Json, contract: string): TokenEntry | null {
  const { transaction_id, token_info, block_timestamp, value } = readObject(json, 'a transfer')
  const { address } = readObject(token_info, 'a token')
  if (readAddress(address) !== contract || value === '0') return null
  return {
    txId: word(transaction_id, 'the id of a transaction'),
    at: integer(block_timestamp, "a block's time"),
    amount: typeof value === 'string' && /^[0-9]{1,78}$/.test(value) ? BigInt(value) : null,
  }
}
