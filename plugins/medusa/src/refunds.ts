/** A refund that is recorded in Florin. */
interface Recorded {
  refundId: string
  reason: string
}

export const reasonOf = (refund: string): string => `Refund ${refund} in Medusa`

/** Refunds that people recorded in Florin, and the refunds in Medusa that stand for them. */
const adopted = new Map<string, string>()

/** The ID of the refund in Medusa that a refund in Florin belongs to; undefined for one that people made there. */
export const ownerOf = ({ refundId, reason }: Recorded): string | undefined =>
  adopted.get(refundId) ?? /^Refund (\S+) in Medusa$/.exec(reason)?.[1]

/** True if Medusa has a refund with this ID. */
export type IsInMedusa = (refund: string) => Promise<boolean>

/**
 * Returns the first refund in Florin that no other refund in Medusa stands for, and lets this one stand for it.
 * One whose refund in Medusa is gone is free: the shop was killed after it was recorded. Medusa's own data is
 * not enough to tell, since of two refunds that are made at once, it stores what one of them returned.
 */
export async function adopt<T extends Recorded>(
  refunds: readonly T[],
  own: string,
  isInMedusa: IsInMedusa,
): Promise<T | undefined> {
  for (const refund of refunds) {
    const owner = ownerOf(refund)
    if (owner !== undefined && owner !== own && (await isInMedusa(owner))) continue
    // Another refund may have taken it meanwhile.
    if (ownerOf(refund) !== owner) continue
    adopted.set(refund.refundId, own)
    return refund
  }
  return undefined
}
