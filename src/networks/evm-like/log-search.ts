import type { Log, LogFilter } from './rpc-calls.ts'

/** A range of blocks, both ends included. */
export interface BlockRange {
  from: number
  to: number
}

/** A search for the logs of addresses in a range of blocks. */
export interface LogSearch extends BlockRange {
  /** distinguishes the searches for one address, such as incoming tokens and flushes */
  kind: string
  addresses: string[]
  filterFor(addresses: string[]): LogFilter
}

export interface FoundLogs {
  logs: Log[]
  /** the kinds of search that could not read all blocks, by address */
  unread: Map<string, Set<string>>
}
