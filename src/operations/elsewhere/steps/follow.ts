import type { Asset } from '../../../domain/asset.ts'
import { type OwnAttempt, sourceKindOf } from '../../../domain/attempt.ts'
import { type Elsewhere, lookAt } from '../../../domain/elsewhere.ts'
import { asserted, Refusal } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { type Balance, type DetectedPayment, NetworkError, type Watch } from '../../../networks/port.ts'
import { type RecordContext, recordPayments } from '../../settlement/record.ts'
import { joinSmall } from '../../upstreams/steps/join-small.ts'
import { scanApart } from '../../upstreams/steps/scan-apart.ts'

/** An attempt, and the state of the other chains of its address. */
export interface Target {
  attempt: OwnAttempt
  known: Elsewhere
  chains: string[]
  /** chains on which something arrived that is not final */
  followed: ReadonlySet<string>
}

/**
 * Max watches that begin at once. Each takes a few requests, and anybody can pay tiny amounts to many
 * addresses. The remaining watches begin with the next check.
 */
const NEW_AT_ONCE = 50
/** The largest difference that is expected between the clocks of a server and a chain. */
const CLOCKS_MS = 120_000

/** The balances that a check found, and when it was made. */
interface BalanceLook {
  askedAt: number
  /** balances by address */
  held: ReadonlyMap<string, readonly Balance[]>
}

/**
 * Finds and records payments to addresses on a chain on which no payments are expected. Returns the targets
 * for which this failed.
 */
export async function follow(
  context: RecordContext,
  chain: string,
  targets: Target[],
  { askedAt, held }: BalanceLook,
): Promise<Target[]> {
  if (targets.length === 0) return []
  const network = asserted(context.networks.of(chain), 'a chain of a target has its network')
  const watches = await watchesOf(context, chain, targets, held)
  if (watches.length === 0) return targets
  const { results, failures } = await scanApart(network, watches, context.clock)
  for (const failure of failures) reportUnread(context, chain, failure)
  const left = new Map(targets.map(target => [target.attempt.id, target]))
  for (const { attemptId, detectedPayments, isPartial: _, ...rest } of results) {
    const { attempt } = asserted(left.get(attemptId), 'each result is of a target')
    const own = joinSmall(attempt, id => context.networks.asset(id), detectedPayments.filter(isOwn(attempt)))
    const found = { attemptId, orderUUID: attempt.orderId, chain, payments: own.length }
    try {
      await recordPayments(context, attemptId, { source: chain, askedAt, ...rest, detectedPayments: own })
      left.delete(attemptId)
      if (own.length > 0) context.log.info(found, 'payment.elsewhere')
    } catch (error) {
      if (error instanceof Refusal) throw error
      reportUnread(context, chain, error)
    }
  }
  return [...left.values()]
}

/** The watches of the targets, without new ones that cannot begin now. */
async function watchesOf(
  context: RecordContext,
  chain: string,
  targets: Target[],
  held: BalanceLook['held'],
): Promise<Watch[]> {
  const { networks } = context
  const watches: Watch[] = []
  let begun = 0
  for (const { attempt, known } of targets) {
    const before = lookAt(known, chain).cursor
    const [balance] = held.get(attempt.address) ?? []
    const asset =
      (balance && networks.asset(balance.assetId)) ??
      asserted(
        networks.assets.find(one => one.chain === chain),
        'a chain has assets',
      )
    if (before === null && ++begun > NEW_AT_ONCE) continue
    try {
      const cursor = before ?? (await begin(context, asset, attempt))
      const { id, address, addressSource: source, requiredEndpoints } = attempt
      watches.push({ attemptId: id, asset, address, source, cursor, requiredEndpoints })
    } catch (error) {
      reportUnread(context, chain, error)
    }
  }
  return watches
}

function begin(context: RecordContext, asset: Asset, attempt: OwnAttempt): Promise<Json> {
  const { id: attemptId, address, addressSource: source, createdAt } = attempt
  const own = { attemptId, address, source }
  const sharing = asserted(context.networks.of(asset.chain)?.sameAddresses, 'the chain shares addresses')
  return sharing.cursorSince(asset, own, createdAt)
}

/**
 * True if a payment is for this attempt. An account may have received payments before its address was
 * allocated; a forwarder cannot have.
 */
const isOwn =
  (attempt: OwnAttempt) =>
  ({ paidAt }: DetectedPayment): boolean =>
    sourceKindOf(attempt) === 'create2' || paidAt >= attempt.createdAt - CLOCKS_MS

/**
 * Logs why a chain could not be read. Only errors of upstreams are expected. Any other error is a bug, and is
 * logged too instead of thrown, so that it does not stop the check of other chains.
 */
export function reportUnread({ log }: RecordContext, chain: string, error: unknown): void {
  if (error instanceof NetworkError) log.warn({ chain, reason: error.message }, 'elsewhere.unreadable')
  else log.error({ chain, error: String(error) }, 'elsewhere.failed')
}
