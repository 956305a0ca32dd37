import { chainOf } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { assert } from '../../domain/errors.ts'
import { SHARED_REST_MS } from '../../domain/quote.ts'
import { type DetectedPayment, NetworkError } from '../../networks/port.ts'
import { ProviderError } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { storedReference } from './steps/open-target.ts'
import { recordChainPayments } from './steps/record-chain-payments.ts'
import { recordProviderPayments, storedAttempt } from './steps/record-provider-payments.ts'
import { nextCheckAt } from './steps/schedule-check.ts'

const RETRY_MS = 60_000
const LATE_RETRY_MS = 3600_000
/** After so many look-ups in a row that failed, a provider is away. */
const FAULTS_MAX = 3

/**
 * Asks the upstreams of these attempts what arrived, and takes it in. Answers when each is to be looked at
 * again; null for those whose watch is over. An upstream that cannot be heard changes nothing.
 */
export async function checkAttempts(context: Context, ids: string[]): Promise<Map<string, number | null>> {
  const attempts = await load(context, ids)
  const bySource = Map.groupBy(attempts, attempt => attempt.provider ?? chainOf(attempt.assetId))
  const next = new Map<string, number | null>()
  await Promise.all(
    [...bySource].map(async ([source, group]) => {
      const unheard = await look(context, source, group)
      const now = context.clock()
      for (const attempt of await load(
        context,
        group.map(({ id }) => id),
      )) {
        next.set(attempt.id, unheard.has(attempt.id) ? retryAt(attempt, now) : nextCheckAt(attempt, now))
      }
    }),
  )
  return next
}

/** Whoever is not heard when a watch is over may never be heard again. */
const retryAt = ({ watchUntil }: Attempt, now: number): number =>
  now + (now < watchUntil ? RETRY_MS : LATE_RETRY_MS)

const load = (context: Context, ids: string[]): Promise<Attempt[]> =>
  context.storage.read(async tables => {
    const attempts = await Promise.all(ids.map(id => tables.attempts.find(id)))
    return attempts.filter(attempt => attempt !== null)
  })

/** Answers the attempts of which nothing was heard. */
async function look(context: Context, source: string, attempts: Attempt[]): Promise<ReadonlySet<string>> {
  const unheard: Attempt[] = []
  try {
    if (attempts[0]?.provider) await askProvider(context, source, attempts, unheard)
    else await askNetwork(context, source, attempts, unheard)
  } catch (error) {
    if (!(error instanceof NetworkError || error instanceof ProviderError)) throw error
    if (unheard.length === 0) unheard.push(...attempts)
    context.log.warn({ source, attempts: unheard.length, fault: error.message }, 'an upstream was not heard')
  }
  return new Set(unheard.map(({ id }) => id))
}

const heardAt = ({ checkedAt, createdAt }: Attempt): number => checkedAt ?? createdAt

/**
 * One by one, and last those whose status was not told for long, so that they keep no other from being looked
 * up. Throws the last fault when all were asked that could be.
 */
async function askProvider(
  context: Context,
  id: string,
  attempts: Attempt[],
  unheard: Attempt[],
): Promise<void> {
  const provider = context.providers.find(id)
  if (!provider) throw new ProviderError('unavailable', `the provider ${id} is not configured any more`)
  const waiting = attempts.filter(attempt => attempt.providerRef).sort((a, b) => heardAt(b) - heardAt(a))
  let fault: ProviderError | undefined
  let faultsInRow = 0
  for (const [at, attempt] of waiting.entries()) {
    const askedAt = context.clock()
    try {
      await recordProviderPayments(context, attempt, await provider.lookup(storedAttempt(attempt)), askedAt)
      faultsInRow = 0
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      fault = error
      unheard.push(attempt)
      faultsInRow++
    }
    if (faultsInRow === FAULTS_MAX) {
      unheard.push(...waiting.slice(at + 1))
      break
    }
  }
  if (fault) throw fault
}

/** A watcher leaves out what it cannot be sure of now. */
async function askNetwork(
  context: Context,
  chain: string,
  attempts: Attempt[],
  unheard: Attempt[],
): Promise<void> {
  const network = context.networks.of(chain)
  if (!network) throw new NetworkError(`the network ${chain} is not configured any more`)
  const watches = attempts.flatMap(attempt => {
    const asset = context.networks.asset(attempt.assetId)
    // An operator may have taken it out of his file since.
    if (!asset) return []
    const { id, address, addressSource, cursor, requiredEndpoints } = attempt
    assert(address, 'an attempt on a chain has an address')
    const reference = storedReference(addressSource)
    return [{ attemptId: id, asset, address, ...reference, source: addressSource, cursor, requiredEndpoints }]
  })
  const askedAt = context.clock()
  const byId = new Map(attempts.map(attempt => [attempt.id, attempt]))
  for (const { attemptId, detectedPayments, ...seen } of await (watches.length > 0
    ? network.scan(watches)
    : [])) {
    const own = detectedPayments.filter(isOwn(byId.get(attemptId)!))
    byId.delete(attemptId)
    await recordChainPayments(context, attemptId, { source: chain, askedAt, ...seen, detectedPayments: own })
  }
  unheard.push(...byId.values())
  if (byId.size > 0)
    context.log.warn({ source: chain, attempts: byId.size }, 'some attempts could not be judged')
}

/**
 * What arrives at a shared address in another amount is another buyer's, or the merchant's own business; and
 * so is what comes after the amount was kept for this one.
 */
const isOwn =
  ({ shared, dueAtomic, assetId, watchUntil }: Attempt) =>
  ({ amount, assetId: arrived, paidAt }: DetectedPayment): boolean =>
    !shared || (amount === dueAtomic && arrived === assetId && paidAt <= watchUntil + SHARED_REST_MS)
