import { type Attempt, nothingArrived, type ProviderAddressSource } from '../../domain/attempt.ts'
import { assert } from '../../domain/errors.ts'
import type { Opening, Started } from '../../domain/opening.ts'
import type { attempts } from '../schema/index.ts'

/** A row has a column for each field of any kind of attempt. The fields of other kinds are null or empty. */
type Row = typeof attempts.$inferSelect

function filled<T>(value: T | null): T {
  assert(value !== null, 'the row of an attempt has what its kind needs')
  return value
}

/** Returns the attempt of a row; null if there is no row, or if the row is an opening. */
export function attemptOf(row: Row | null): Attempt | null {
  if (row === null || row.assetId === null) return null
  const common = commonOf(row, row.assetId)
  const { kind, provider, address } = row
  if (kind === 'redirect') return { ...common, ...atProviderOf(row), kind, address, ...pageOf(row) }
  const quote = { ...common, kind, address: filled(address), ...quoteOf(row) }
  if (provider === null) {
    const { addressSource, shared, requiredEndpoints, cursor, reclaimedAt } = row
    return { ...quote, provider, addressSource, shared, requiredEndpoints, cursor, reclaimedAt }
  }
  const callbackSecret = filled(row.callbackSecret)
  const addressSource = row.addressSource as ProviderAddressSource
  return { ...quote, ...atProviderOf(row), callbackSecret, addressSource }
}

const commonOf = (row: Row, assetId: string) => ({
  ...startOf(row),
  assetId,
  decimals: filled(row.decimals),
  dueAtomic: filled(row.dueAtomic),
  thresholdAtomic: filled(row.thresholdAtomic),
  payoutAddress: filled(row.payoutAddress),
  graceUntil: row.graceUntil,
  blindMs: row.blindMs,
  state: row.state,
  receivedAtomic: row.receivedAtomic,
  confirmedAtomic: row.confirmedAtomic,
  credited: row.credited,
  settledCredit: row.settledCredit,
  awaited: row.awaited,
  vanishedAt: row.vanishedAt,
  confirmations: row.confirmations,
  pageShare: row.pageShare,
  requiredConfirmations: row.requiredConfirmations,
  checkedAt: row.checkedAt,
})

/** Returns the fields that attempts and openings share. */
const startOf = (row: Row) => ({
  id: row.id,
  merchantId: row.merchantId,
  orderId: row.orderId,
  methodKey: row.methodKey,
  methodName: row.methodName,
  priced: row.priced,
  tolerance: row.tolerance,
  dust: row.dust,
  minedWithinMs: row.minedWithinMs,
  lockedUntil: row.lockedUntil,
  graceLimit: row.graceLimit,
  watchUntil: row.watchUntil,
  language: row.language,
  chosenAt: row.chosenAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

const quoteOf = (row: Row) => ({
  rate: filled(row.rate),
  rateSources: row.rateSources,
  rateAt: filled(row.rateAt),
  dustAtomic: row.dustAtomic,
  paymentUri: filled(row.paymentUri),
  refundAddress: row.refundAddress,
})

const atProviderOf = (row: Row) => ({
  provider: filled(row.provider),
  callbackUrl: filled(row.callbackUrl),
  providerRef: filled(row.providerRef),
  feeSplit: row.feeSplit,
})

const pageOf = ({ redirectUrl, floorAtomic, callbackSecret }: Row) => ({
  redirectUrl: filled(redirectUrl),
  floorAtomic,
  callbackSecret,
  refundAddress: null,
})

export function openingOf(row: Row | null): Opening | null {
  if (row === null || row.assetId !== null) return null
  const { payoutAddress, callbackSecret } = row
  return {
    ...startOf(row),
    kind: 'opening',
    provider: filled(row.provider),
    payoutAddress,
    callbackUrl: filled(row.callbackUrl),
    callbackSecret,
    state: row.state === 'failed' ? 'failed' : 'waiting',
  }
}

export const startedOf = (rows: readonly Row[]): Started => ({
  attempts: rows.flatMap(row => attemptOf(row) ?? []),
  openings: rows.flatMap(row => openingOf(row) ?? []),
})

/** Empty values of the columns that only some kinds have. */
const empty = {
  floorAtomic: 0n,
  rate: null,
  rateSources: [],
  rateAt: null,
  dustAtomic: 0n,
  paymentUri: null,
  refundAddress: null,
  address: null,
  addressSource: null,
  shared: false,
  requiredEndpoints: 1,
  cursor: null,
  reclaimedAt: null,
  redirectUrl: null,
  callbackUrl: null,
  callbackSecret: null,
  providerRef: null,
  feeSplit: false,
}

const unopened = { assetId: null, decimals: null, dueAtomic: null, thresholdAtomic: null }

export const rowOf = (one: Attempt | Opening): Row =>
  one.kind === 'opening'
    ? {
        ...{ ...empty, ...unopened, ...nothingArrived, requiredConfirmations: null },
        ...{ ...one, kind: 'redirect', graceUntil: one.graceLimit },
      }
    : { ...empty, ...one }
