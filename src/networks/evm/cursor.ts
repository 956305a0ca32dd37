import type { Json } from '../../domain/metadata.ts'
import { NetworkFault } from '../port.ts'

/** How the native balance of an address changed in one block, where it was found out and is not yet final. */
export interface Change {
  height: number
  hash: string
  /** atomic; below zero for what left without a word of the forwarder */
  amount: bigint
}

/** Where the watch of one address goes on. Everything at or below `height` is final, and was told. */
export interface Cursor {
  height: number
  hash: string
  /** the native balance at `height`, atomic */
  balance: bigint
  /** what was final when the address was given out: where a chain is read again that was replaced so deep */
  opened: number
  /** the newest block that was seen; a node that does not know it is behind */
  seen: number
  changes: Change[]
}

/** A watcher finds again what is left out, so that nobody can swell a cursor by many small payments. */
const CHANGES_MAX = 32

export const printCursor = ({ height, hash, balance, opened, seen, changes }: Cursor): Json => ({
  height,
  hash,
  balance: balance.toString(),
  opened,
  seen,
  changes: changes
    .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
    .slice(0, CHANGES_MAX)
    .map(change => [change.height, change.hash, change.amount.toString()]),
})

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { height, hash, balance, opened, seen, changes } = json as { [key: string]: Json }
    return {
      height: heightOf(height),
      hash: hash as string,
      balance: BigInt(balance as string),
      opened: heightOf(opened),
      seen: heightOf(seen),
      changes: (changes as [number, string, string][]).map(([at, blockHash, amount]) => ({
        height: heightOf(at),
        hash: blockHash,
        amount: BigInt(amount),
      })),
    }
  } catch {
    throw new NetworkFault('a stored cursor cannot be read')
  }
}

function heightOf(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('a height is an integer')
  return json as number
}
