import type { Json } from '../../domain/metadata.ts'
import type { Query } from '../rpc/batch.ts'
import { readArray, readObject } from '../rpc/json.ts'
import { TOO_LARGE } from '../rpc/json-rpc.ts'
import type { Call, NodeError } from '../rpc/json-rpc-codec.ts'
import { readAddress, readBytes, readNumber, readWord, toQuantity } from './hex.ts'

export interface Header {
  height: number
  hash: string
  /** the time of the block, in milliseconds since 1970 UTC */
  at: number
}

export interface Log {
  contract: string
  topics: string[]
  /** the log's data, in hexadecimal */
  bytes: string
  height: number
  blockHash: string
  txHash: string
  index: number
}

export function readHeader(json: Json): Header {
  const block = readObject(json, 'a block')
  return {
    height: readNumber(block.number),
    hash: readWord(block.hash),
    at: readNumber(block.timestamp) * 1000,
  }
}

export function readLog(json: Json): Log {
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

export const blockCall = (block: string, withTransactions: boolean): Call => ({
  method: 'eth_getBlockByNumber',
  params: [block, withTransactions],
})

export const latestHeader: Query<Header> = { call: blockCall('latest', false), read: readHeader }

/** Reads the newest final block; null if the node does not report finality. */
export const finalizedHeader: Query<Header | null> = {
  call: blockCall('finalized', false),
  read: json => (json === null ? null : readHeader(json)),
  onRefused: () => null,
}

/** Reads the block at a height; null if the node does not have it. */
export const headerAt = (height: number): Query<Header | null> => ({
  call: blockCall(toQuantity(height), false),
  read: json => (json === null ? null : readHeader(json)),
})

export interface LogFilter {
  address: string[]
  topics: Json[]
}

const tooManyWords = /more than [\d,]+ (results|logs|events)|too many(?! blocks)|response size/i

/** True if a node refuses a search because of the size of its result, not the number of its blocks. */
export const isTooMany = ({ code, message }: NodeError): boolean =>
  code === TOO_LARGE || tooManyWords.test(message) || (/too large/i.test(message) && !/range/i.test(message))

/** Searches for logs, without transfers of zero. The result is an error if the node refuses the search. */
export const logsOf = (filter: LogFilter, from: number, to: number): Query<Log[] | NodeError> => ({
  call: {
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) }],
  },
  read: json =>
    readArray(json, 'logs').flatMap(log => {
      const { removed, data } = readObject(log, 'a log')
      return removed === true || data === NOTHING ? [] : [readLog(log)]
    }),
  onRefused: error => error,
})

const NOTHING = `0x${'0'.repeat(64)}`

export const codeOf = (address: string): Query<string> => ({
  call: { method: 'eth_getCode', params: [address, 'latest'] },
  read: readBytes,
})

const DECIMALS_SELECTOR = '0x313ce567'
const WORD_LENGTH = 66

/** Reads the decimals of a token; null if the contract does not report them. */
export const decimalsOf = (contract: string): Query<bigint | null> => ({
  call: { method: 'eth_call', params: [{ to: contract, data: DECIMALS_SELECTOR }, 'latest'] },
  read: json => (readBytes(json).length === WORD_LENGTH ? BigInt(readBytes(json)) : null),
  onRefused: () => null,
})
