import type { Json } from '../../domain/metadata.ts'
import { type DetectedPayment, NetworkError, type Watch, type WatchResult } from '../port.ts'
import type { Endpoints } from './failover.ts'

type Look<N> = (node: N, watches: Watch[]) => Promise<WatchResult[]>

/** What a cursor says of money, by which later looks judge what has arrived. */
type Claim = (cursor: Json) => string

/**
 * Looks with one endpoint; and where a payment would be final that more than one has to tell of, or a cursor
 * would say something else of money, looks again with another. What the other does not tell too is not final
 * yet, and is looked at again from where it was. Throws NetworkFault when no endpoint can be heard.
 */
export async function scanWithQuorum<N>(
  endpoints: Endpoints<N>,
  look: Look<N>,
  watches: Watch[],
  claimOf: Claim = () => '',
): Promise<WatchResult[]> {
  const first = await endpoints.withFailover(async node => ({ node, watched: await look(node, watches) }))
  const firsts = new Map(first.watched.map(own => [own.attemptId, own]))
  const doubted = watches.filter(({ attemptId, requiredEndpoints, cursor }) => {
    const own = firsts.get(attemptId)
    if (!own || requiredEndpoints < 2) return false
    return own.detectedPayments.some(({ final }) => final) || claimOf(own.cursor) !== claimOf(cursor)
  })
  if (doubted.length === 0) return first.watched
  const second = await opinionOf(endpoints, look, doubted, first.node)
  const byAttempt = new Map(doubted.map(watch => [watch.attemptId, watch]))
  return first.watched.map(own => {
    const watch = byAttempt.get(own.attemptId)
    return watch ? agreed(watch, own, second, claimOf) : own
  })
}

interface Opinion {
  watched: WatchResult[]
  /** why there is none */
  fault: string | null
}

async function opinionOf<N>(
  endpoints: Endpoints<N>,
  look: Look<N>,
  watches: Watch[],
  but: N,
): Promise<Opinion> {
  try {
    return { watched: await endpoints.withFailover(node => look(node, watches), but), fault: null }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { watched: [], fault: error.message }
  }
}

const isSame = (a: DetectedPayment, b: DetectedPayment): boolean =>
  a.txId === b.txId &&
  a.txIndex === b.txIndex &&
  a.assetId === b.assetId &&
  a.amount === b.amount &&
  a.height === b.height

/** Nothing is told as final, and nothing is left behind, unless both tell it. */
function agreed(watch: Watch, own: WatchResult, { watched, fault }: Opinion, claimOf: Claim): WatchResult {
  const second = watched.find(({ attemptId }) => attemptId === own.attemptId)
  const others = second?.detectedPayments ?? []
  let isWhole = second !== undefined && claimOf(second.cursor) === claimOf(own.cursor)
  const detectedPayments = own.detectedPayments.map(detected => {
    if (!detected.final) return detected
    const other = others.find(one => isSame(one, detected))
    const final = other?.final === true
    if (!final) isWhole = false
    const evidence: Json = other?.evidence ?? {
      fault: fault ?? 'another endpoint does not tell of this payment',
    }
    return { ...detected, final, evidence: { first: detected.evidence, second: evidence } }
  })
  return isWhole
    ? { ...own, detectedPayments }
    : { attemptId: own.attemptId, detectedPayments, completeFrom: own.completeFrom, cursor: watch.cursor }
}
