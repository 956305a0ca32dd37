/** A refund that is recorded in Florin. */
interface Recorded {
  refundId: string
  reason: string
}

export const reasonOf = (refund: string): string => `Refund ${refund} in Medusa`

/** The refunds in Medusa that stand for refunds which people recorded in Florin, by the IDs of the latter. */
const adopted = new Map<string, string>()

/**
 * The ID of the refund in Medusa to which a refund in Florin belongs; undefined if people made it in Florin.
 */
export const ownerOf = ({ refundId, reason }: Recorded): string | undefined =>
  adopted.get(refundId) ?? /^Refund (\S+) in Medusa$/.exec(reason)?.[1]

/** True if Medusa has a refund with this ID. */
export type IsInMedusa = (refund: string) => Promise<boolean>

/**
 * Returns the first refund in Florin that belongs to no other refund in Medusa, and assigns it to the refund
 * `own`. A refund in Florin is also free if its refund in Medusa is gone: the shop was killed after Florin
 * recorded it. Medusa's data does not show this: if two refunds are made at once, it stores the result of
 * only one.
 */
export async function adopt<T extends Recorded>(
  refunds: readonly T[],
  own: string,
  isInMedusa: IsInMedusa,
): Promise<T | undefined> {
  for (const refund of refunds) {
    const owner = ownerOf(refund)
    if (owner !== undefined && owner !== own && (await isInMedusa(owner))) continue
    // Another refund may have taken this one meanwhile.
    if (ownerOf(refund) !== owner) continue
    adopted.set(refund.refundId, own)
    return refund
  }
  return undefined
}
