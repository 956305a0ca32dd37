import type { Json } from '../../domain/metadata.ts'
import { printCursor as printEvmCursor } from '../evm/cursor.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { NetworkError } from '../port.ts'

/** A block, by which a watch finds its place again on a node and in an index. */
export interface Place {
  height: number
  hash: string
  /** milliseconds since 1970 UTC */
  at: number
}

export const placeOf = ({ height, hash, at }: Header): Place => ({ height, hash, at })

/** Where the watch of one address goes on. Everything at or below its place is final, and was told. */
export interface Cursor {
  place: Place
  /** what was solid when the address was given out */
  opened: Place
  /** the newest height that was seen; a node that does not know it is behind */
  seen: number
  /** when that was, in milliseconds since 1970 UTC */
  seenAt: number
  /** the next place, as soon as an index cannot be behind it any more; null while none was read */
  next: Place | null
  /** payments of the coin were told that are not below the place */
  hasCoins: boolean
  /** of the coin at the last look that read it, atomic; null where none did */
  balance: bigint | null
}

const printPlace = ({ height, hash, at }: Place): Json => [height, hash, at]

export const printCursor = ({ place, opened, seen, seenAt, next, hasCoins, balance }: Cursor): Json => ({
  place: printPlace(place),
  opened: printPlace(opened),
  seen,
  seenAt,
  next: next && printPlace(next),
  hasCoins,
  balance: balance === null ? null : balance.toString(),
})

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { place, opened, seen, seenAt, next, hasCoins, balance } = json as { [key: string]: Json }
    return {
      place: readPlace(place),
      opened: readPlace(opened),
      seen: integer(seen),
      seenAt: integer(seenAt),
      next: next === null ? null : readPlace(next),
      hasCoins: hasCoins === true,
      balance: balance === null ? null : BigInt(balance as string),
    }
  } catch {
    throw new NetworkError('a stored cursor cannot be read')
  }
}

function readPlace(json: Json | undefined): Place {
  const [height, hash, at] = json as Json[]
  if (typeof hash !== 'string') throw new TypeError('a hash is a text')
  return { height: integer(height), hash, at: integer(at) }
}

function integer(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('heights and times are integers')
  return json as number
}

/** As the parts of the EVM read a cursor. */
export const asEvmCursor = ({ place, opened, seen, seenAt }: Cursor): Json =>
  printEvmCursor({
    height: place.height,
    hash: place.hash,
    balance: 0n,
    opened: opened.height,
    seen,
    seenAt,
    changes: [],
    account: null,
  })
