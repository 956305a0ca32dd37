import type { Attempt } from '../../domain/attempt.ts'
import type { Opening, Started } from '../../domain/opening.ts'
import type { attempts } from '../schema/index.ts'

type Row = typeof attempts.$inferSelect

/** The attempt of a row; null if there is no row, or it is an opening. */
export function attemptOf(row: Row | null): Attempt | null {
  if (row === null) return null
  const { assetId, decimals, dueAtomic, thresholdAtomic } = row
  const isOpened = assetId !== null && decimals !== null && dueAtomic !== null && thresholdAtomic !== null
  return isOpened ? { ...row, assetId, decimals, dueAtomic, thresholdAtomic } : null
}

export function openingOf(row: Row | null): Opening | null {
  if (row === null || row.assetId !== null) return null
  const { id, merchantId, orderId, methodKey, methodName, priced, tolerance, dust, minedWithinMs } = row
  const { payoutAddress, callbackUrl, callbackSecret, lockedUntil, graceLimit, watchUntil } = row
  const { language, state, chosenAt, createdAt, updatedAt } = row
  return {
    id,
    merchantId,
    orderId,
    kind: 'opening',
    provider: row.provider!,
    methodKey,
    methodName,
    priced,
    tolerance,
    dust,
    minedWithinMs,
    payoutAddress,
    callbackUrl: callbackUrl!,
    callbackSecret,
    lockedUntil,
    graceLimit,
    watchUntil,
    language,
    state: state === 'failed' ? 'failed' : 'waiting',
    chosenAt,
    createdAt,
    updatedAt,
  }
}

export const startedOf = (rows: readonly Row[]): Started => ({
  attempts: rows.flatMap(row => attemptOf(row) ?? []),
  openings: rows.flatMap(row => openingOf(row) ?? []),
})

/** The row of an opening, in which nothing is filled that an answer of its provider decides. */
export const rowOf = (opening: Opening): Row => ({
  ...opening,
  kind: 'redirect',
  assetId: null,
  decimals: null,
  dueAtomic: null,
  thresholdAtomic: null,
  floorAtomic: 0n,
  pageShare: null,
  dustAtomic: 0n,
  rate: null,
  rateSources: [],
  rateAt: null,
  address: null,
  shared: false,
  addressSource: null,
  requiredEndpoints: 1,
  paymentUri: null,
  redirectUrl: null,
  providerRef: null,
  feeSplit: false,
  graceUntil: opening.graceLimit,
  blindMs: 0,
  refundAddress: null,
  receivedAtomic: 0n,
  confirmedAtomic: 0n,
  credited: 0n,
  settledCredit: 0n,
  awaited: 0n,
  vanishedAt: null,
  confirmations: null,
  requiredConfirmations: null,
  cursor: null,
  checkedAt: null,
  reclaimedAt: null,
})
