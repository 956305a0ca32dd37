import { asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import type { DetectedPayment, Watch, WatchResult } from '../port.ts'
import type { Endpoints } from './failover.ts'
import { askAnother } from './second-answer.ts'

type Failover<N> = Pick<Endpoints<N>, 'withFailover'>

/** A watch. With `isTakenOver`, an endpoint also reports payments in blocks below the cursor. */
type Reread = Watch & { isTakenOver?: true }

type Scan<N> = (node: N, watches: Reread[]) => Promise<WatchResult[]>

/** Reads the part of a cursor that later scans compare payments with, such as a balance. */
type QuorumState = (cursor: Json) => string

/**
 * Scans with one endpoint. Repeats the scan with a second endpoint for each watch that requires two endpoints
 * and has a final payment or a new state. If the second does not confirm it, further endpoints are asked,
 * since an endpoint that leaves something out must not stop what two others agree on. Payments that no other
 * endpoint confirms are disputed and not final, and the watch keeps its old cursor. For payments below that
 * cursor, the other endpoints read these blocks again. Throws NetworkError when no endpoint is usable.
 */
export async function scanWithQuorum<N>(
  endpoints: Failover<N>,
  scan: Scan<N>,
  watches: Watch[],
  stateOf: QuorumState = () => '',
): Promise<WatchResult[]> {
  const first = await endpoints.withFailover(async node => ({ node, results: await scan(node, watches) }))
  const byAttempt = new Map(first.results.map(result => [result.attemptId, result]))
  const resultOf = ({ attemptId }: Watch): WatchResult =>
    asserted(byAttempt.get(attemptId), 'what is disputed was reported')
  const disputable = watches.filter(({ attemptId, requiredEndpoints, cursor }) => {
    const result = byAttempt.get(attemptId)
    if (!result || requiredEndpoints < 2) return false
    const isFinal = result.detectedPayments.some(({ final }) => final)
    return isFinal || stateOf(result.cursor) !== stateOf(cursor)
  })
  const [asked, others]: [N[], WatchResult[]] = [[first.node], []]
  let error: string | null = null
  for (let open = disputable; open.length > 0; open = open.filter(isDisputed)) {
    const next = await askAnother(endpoints, node => scan(node, open.map(toSecond)), asked)
    if (next.error !== null) {
      error = next.error
      break
    }
    asked.push(next.node)
    others.push(...next.answer)
  }
  const watchOf = new Map(disputable.map(watch => [watch.attemptId, watch]))
  return first.results.map(result => {
    const watch = watchOf.get(result.attemptId)
    return watch ? confirmed(watch, result, { others, error, stateOf }).result : result
  })

  function toSecond(watch: Watch): Reread {
    const result = resultOf(watch)
    const isOld = result.detectedPayments.some(one => one.final && isBelow(one, result))
    return isOld ? { ...watch, isTakenOver: true, elsewhere: true } : watch
  }

  function isDisputed(watch: Watch): boolean {
    const result = resultOf(watch)
    return !confirmed(watch, result, { others, error, stateOf }).isConfirmed
  }
}

/**
 * Returns true for a payment in a block that a complete scan read again, although earlier scans had passed
 * it. An incomplete scan has `completeFrom` above `completeTo`.
 */
export const isBelow = (
  { height }: DetectedPayment,
  { completeFrom, completeTo = Number.POSITIVE_INFINITY }: WatchResult,
): boolean => height !== null && height < completeFrom && completeFrom <= completeTo

const isSame = (a: DetectedPayment, b: DetectedPayment): boolean =>
  a.txId === b.txId &&
  a.txIndex === b.txIndex &&
  a.assetId === b.assetId &&
  a.amountAtomic === b.amountAtomic &&
  a.height === b.height &&
  isSameTime(a, b)

/**
 * Two times of one block may differ by this much: nodes may estimate it, and a time in the future is reported
 * as the time of the scan.
 */
const TIMES_MS = 60_000

const isSameTime = (a: DetectedPayment, b: DetectedPayment): boolean =>
  a.isUndated === true || b.isUndated === true || Math.abs(a.paidAt - b.paidAt) <= TIMES_MS

/**
 * The later of the times that two endpoints report, since a false earlier one could make a late payment count
 * as in time.
 */
const timesOf = (a: DetectedPayment, b: DetectedPayment): Pick<DetectedPayment, 'paidAt' | 'isUndated'> => ({
  paidAt: Math.max(a.paidAt, b.paidAt),
  ...((a.isUndated || b.isUndated) && { isUndated: true }),
})

interface Opinions {
  /** the results of other endpoints, for any watch */
  others: readonly WatchResult[]
  /**
   * the reason why no further endpoint could be asked; null if one could, or if no endpoint had to be asked
   */
  error: string | null
  stateOf: QuorumState
}

const reports = ({ detectedPayments }: WatchResult, payment: DetectedPayment): boolean =>
  detectedPayments.some(other => isSame(other, payment))

/** Returns the first result, in which a payment is final only if another scan confirms it. */
function confirmed(
  watch: Watch,
  first: WatchResult,
  { others, error, stateOf }: Opinions,
): { result: WatchResult; isConfirmed: boolean } {
  const own = others.filter(({ attemptId }) => attemptId === first.attemptId)
  let isConfirmed = own.some(({ cursor }) => stateOf(cursor) === stateOf(first.cursor))
  const missed = first.detectedPayments.filter(
    payment => payment.final && !own.some(one => reports(one, payment)),
  )
  const detectedPayments = first.detectedPayments.map(payment => {
    if (!payment.final) return payment
    const same = own.flatMap(one => one.detectedPayments.filter(other => isSame(other, payment)))
    const other = same.find(one => one.final) ?? same[0]
    const final = other?.final === true
    if (!final) isConfirmed = false
    const reason = own.length > 0 ? null : error
    const evidence: Json = other?.evidence ?? {
      error: reason ?? 'another endpoint does not report this payment',
    }
    const times = other ? timesOf(payment, other) : {}
    const disputed = final ? {} : { isDisputed: true }
    return {
      ...payment,
      ...times,
      ...disputed,
      ...{ final, evidence: { first: payment.evidence, second: evidence } },
    }
  })
  const { attemptId, completeFrom, completeTo, endpoint } = first
  // The outflows are left out, since the next scan finds them again.
  const kept = {
    attemptId,
    detectedPayments,
    completeFrom,
    ...(completeTo !== undefined && { completeTo }),
    cursor: watch.cursor,
    ...(endpoint && { endpoint }),
    ...(missed.length > 0 && {
      unproven: missed.map(({ txIn, txId, assetId, amountAtomic, paidAt }) => ({
        ...{ txId: txIn ?? txId, assetId, amountAtomic, paidAt },
        endpoint: endpoint ?? '',
      })),
    }),
  }
  return { isConfirmed, result: isConfirmed ? { ...first, detectedPayments } : kept }
}
