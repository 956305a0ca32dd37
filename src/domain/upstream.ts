import { chainOf } from './asset.ts'
import { type Attempt, isShared } from './attempt.ts'

/**
 * The upstream of a service that issues invoices. Each service is an upstream of its own, so that an outage
 * of one does not stop the others.
 */
export const serviceUpstream = ({ chain }: { chain: string }, host: string): string => `${chain}/${host}`

/** True for the upstream of a service that issues invoices. */
export const isService = (upstream: string): boolean => upstream.includes('/')

const serviceOf = (attempt: Attempt): string | undefined =>
  attempt.provider === null ? (attempt.addressSource as { service?: string } | null)?.service : undefined

/** True if the buyer pays an invoice. It contains the amount, and cannot be paid after its expiry. */
export const isInvoice = (attempt: Attempt): boolean => serviceOf(attempt) !== undefined

/** True if the amount cannot change: it identifies the buyer, or is part of an invoice. */
export const hasFixedAmount = (attempt: Attempt): boolean => isShared(attempt) || isInvoice(attempt)

/** The provider, chain or service that reports the payments of an attempt. */
export const upstreamOf = (attempt: Attempt): string =>
  attempt.provider ?? serviceOf(attempt) ?? chainOf(attempt.assetId)
