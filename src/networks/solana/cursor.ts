import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** One account that is watched for an address, and how far it was read. */
export interface Place {
  account: string
  /** of the token that lies there; null for the address itself */
  mint: string | null
  /** the newest signature that was told for good; null while there is none */
  until: string | null
  /** its slot; what is older is not looked at */
  slot: number
  /** where more is new than one look lists: from which signatures to go on into the past, the oldest last */
  below: string[]
  /** what lay there at the last look, as a print; null where the node could not tell */
  print: string | null
  /** since when nothing changed there, in milliseconds since 1970 UTC; null while that is not sure */
  calmSince: number | null
}

/** Where the watch of one address goes on. */
export interface Cursor {
  /** everything at or below is final and was told */
  slot: number
  /** the newest slot that a node had come to */
  seen: number
  /** the slot of the newest transaction that was told; a node that has not come to it is not asked */
  told: number
  /** the slot of the chain when the watch began */
  opened: number
  places: Place[]
}

export const printCursor = ({ slot, seen, told, opened, places }: Cursor): Json => ({
  slot,
  seen,
  told,
  opened,
  places: places.map(place => [
    place.account,
    place.mint,
    place.until,
    place.slot,
    place.below,
    place.print,
    place.calmSince,
  ]),
})

type Row = [string, string | null, string | null, number, string[], string | null, number | null]

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { slot, seen, told, opened, places } = json as { [key: string]: Json }
    return {
      slot: slotFrom(slot),
      seen: slotFrom(seen),
      told: slotFrom(told),
      opened: slotFrom(opened),
      places: (places as Row[]).map(([account, mint, until, at, below, print, calmSince]) => ({
        account,
        mint,
        until,
        slot: slotFrom(at),
        below,
        print,
        calmSince,
      })),
    }
  } catch {
    throw new NetworkError('a stored cursor cannot be read')
  }
}

function slotFrom(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('a slot is an integer')
  return json as number
}
