import type { Json } from '../../domain/metadata.ts'
import { type DetectedPayment, NetworkError, type Watch, type WatchResult } from '../port.ts'
import type { Endpoints } from './failover.ts'

type Failover<N> = Pick<Endpoints<N>, 'withFailover'>

type Scan<N> = (node: N, watches: Watch[]) => Promise<WatchResult[]>

/** Reads the part of a cursor that later scans compare payments with, such as a balance. */
type QuorumState = (cursor: Json) => string

/**
 * Scans with one endpoint. Repeats the scan with a second endpoint for each watch that requires two and has a
 * final payment or a new state. Payments that the second endpoint does not confirm are not final yet, and the
 * watch keeps its old cursor. Throws NetworkError when no endpoint is usable.
 */
export async function scanWithQuorum<N>(
  endpoints: Failover<N>,
  scan: Scan<N>,
  watches: Watch[],
  stateOf: QuorumState = () => '',
): Promise<WatchResult[]> {
  const first = await endpoints.withFailover(async node => ({ node, results: await scan(node, watches) }))
  const byAttempt = new Map(first.results.map(result => [result.attemptId, result]))
  const disputable = watches.filter(({ attemptId, requiredEndpoints, cursor }) => {
    const result = byAttempt.get(attemptId)
    if (!result || requiredEndpoints < 2) return false
    const isFinal = result.detectedPayments.some(({ final }) => final)
    return isFinal || stateOf(result.cursor) !== stateOf(cursor)
  })
  if (disputable.length === 0) return first.results
  const second = await secondScan(endpoints, scan, disputable, first.node)
  const watchOf = new Map(disputable.map(watch => [watch.attemptId, watch]))
  return first.results.map(result => {
    const watch = watchOf.get(result.attemptId)
    return watch ? confirmed(watch, result, second, stateOf) : result
  })
}

interface SecondScan {
  results: WatchResult[]
  /** the reason why there are no results; null if the scan succeeded */
  error: string | null
}

async function secondScan<N>(
  endpoints: Failover<N>,
  scan: Scan<N>,
  watches: Watch[],
  first: N,
): Promise<SecondScan> {
  try {
    return { results: await endpoints.withFailover(node => scan(node, watches), first), error: null }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { results: [], error: error.message }
  }
}

const isSame = (a: DetectedPayment, b: DetectedPayment): boolean =>
  a.txId === b.txId &&
  a.txIndex === b.txIndex &&
  a.assetId === b.assetId &&
  a.amountAtomic === b.amountAtomic &&
  a.height === b.height

/** Returns the first result, in which a payment is final only if both scans say so. */
function confirmed(
  watch: Watch,
  first: WatchResult,
  { results, error }: SecondScan,
  stateOf: QuorumState,
): WatchResult {
  const second = results.find(({ attemptId }) => attemptId === first.attemptId)
  let isConfirmed = second !== undefined && stateOf(second.cursor) === stateOf(first.cursor)
  const detectedPayments = first.detectedPayments.flatMap(payment => {
    if (!payment.final) return [payment]
    const other = second?.detectedPayments.find(one => isSame(one, payment))
    const final = other?.final === true
    if (!final) isConfirmed = false
    // Later scans never report a payment below `completeFrom` as gone, so a false one would stay. A true
    // payment is found again by the next scan, since the cursor stays.
    if (!other && payment.height !== null && payment.height < first.completeFrom) return []
    const evidence: Json = other?.evidence ?? {
      error: error ?? 'another endpoint does not report this payment',
    }
    return [{ ...payment, final, evidence: { first: payment.evidence, second: evidence } }]
  })
  const { attemptId, completeFrom, endpoint } = first
  // The outflows are left out, since the next scan finds them again.
  return isConfirmed
    ? { ...first, detectedPayments }
    : { attemptId, detectedPayments, completeFrom, cursor: watch.cursor, ...(endpoint && { endpoint }) }
}
