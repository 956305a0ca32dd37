import { chainOf } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { assert } from '../../domain/errors.ts'
import { SHARED_REST_MS } from '../../domain/quote.ts'
import { NetworkFault, type Sighting } from '../../networks/port.ts'
import { ProviderFault } from '../../providers/port.ts'
import type { World } from '../context.ts'
import { recordSightings } from './steps/record-chain-payments.ts'
import { recordFacts, storedAttempt } from './steps/record-provider-payments.ts'
import { nextPollAt } from './steps/schedule-check.ts'

const RETRY_MS = 60_000
const LATE_RETRY_MS = 3600_000
/** After so many look-ups in a row that failed, a provider is away. */
const FAULTS_MAX = 3

/**
 * Asks the upstreams of these attempts what arrived, and takes it in. Answers when each is to be looked at
 * again; null for those whose watch is over. An upstream that cannot be heard changes nothing.
 */
export async function checkAttempts(world: World, ids: string[]): Promise<Map<string, number | null>> {
  const attempts = await load(world, ids)
  const bySource = Map.groupBy(attempts, attempt => attempt.provider ?? chainOf(attempt.assetId))
  const next = new Map<string, number | null>()
  await Promise.all(
    [...bySource].map(async ([source, group]) => {
      const unheard = await look(world, source, group)
      const now = world.clock()
      for (const attempt of await load(
        world,
        group.map(({ id }) => id),
      )) {
        next.set(attempt.id, unheard.has(attempt.id) ? retryAt(attempt, now) : nextPollAt(attempt, now))
      }
    }),
  )
  return next
}

/** Whoever is not heard when a watch is over may never be heard again. */
const retryAt = ({ watchUntil }: Attempt, now: number): number =>
  now + (now < watchUntil ? RETRY_MS : LATE_RETRY_MS)

const load = (world: World, ids: string[]): Promise<Attempt[]> =>
  world.storage.read(async tables => {
    const attempts = await Promise.all(ids.map(id => tables.attempts.find(id)))
    return attempts.filter(attempt => attempt !== null)
  })

/** Answers the attempts of which nothing was heard. */
async function look(world: World, source: string, attempts: Attempt[]): Promise<ReadonlySet<string>> {
  const unheard: Attempt[] = []
  try {
    if (attempts[0]?.provider) await askProvider(world, source, attempts, unheard)
    else await askNetwork(world, source, attempts, unheard)
  } catch (error) {
    if (!(error instanceof NetworkFault || error instanceof ProviderFault)) throw error
    if (unheard.length === 0) unheard.push(...attempts)
    world.log.warn({ source, attempts: unheard.length, fault: error.message }, 'an upstream was not heard')
  }
  return new Set(unheard.map(({ id }) => id))
}

const heardAt = ({ checkedAt, createdAt }: Attempt): number => checkedAt ?? createdAt

/**
 * One by one, and last those whose status was not told for long, so that they keep no other from being looked
 * up. Throws the last fault when all were asked that could be.
 */
async function askProvider(world: World, id: string, attempts: Attempt[], unheard: Attempt[]): Promise<void> {
  const provider = world.providers.find(id)
  if (!provider) throw new ProviderFault('unavailable', `the provider ${id} is not configured any more`)
  const waiting = attempts.filter(attempt => attempt.providerRef).sort((a, b) => heardAt(b) - heardAt(a))
  let fault: ProviderFault | undefined
  let faultsInRow = 0
  for (const [at, attempt] of waiting.entries()) {
    const askedAt = world.clock()
    try {
      await recordFacts(world, attempt, await provider.lookup(storedAttempt(attempt)), askedAt)
      faultsInRow = 0
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
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
  world: World,
  chain: string,
  attempts: Attempt[],
  unheard: Attempt[],
): Promise<void> {
  const network = world.networks.of(chain)
  if (!network) throw new NetworkFault(`the network ${chain} is not configured any more`)
  const watches = attempts.flatMap(attempt => {
    const asset = world.networks.asset(attempt.assetId)
    // An operator may have taken it out of his file since.
    if (!asset) return []
    const { id, address, addressSource, cursor, opinions } = attempt
    assert(address, 'an attempt on a chain has an address')
    return [{ attemptId: id, asset, address, source: addressSource, cursor, opinions }]
  })
  const askedAt = world.clock()
  const byId = new Map(attempts.map(attempt => [attempt.id, attempt]))
  for (const { attemptId, sightings, ...seen } of await (watches.length > 0 ? network.check(watches) : [])) {
    const own = sightings.filter(isOwn(byId.get(attemptId)!))
    byId.delete(attemptId)
    await recordSightings(world, attemptId, { source: chain, askedAt, ...seen, sightings: own })
  }
  unheard.push(...byId.values())
  if (byId.size > 0)
    world.log.warn({ source: chain, attempts: byId.size }, 'some attempts could not be judged')
}

/**
 * What arrives at a shared address in another amount is another buyer's, or the merchant's own business; and
 * so is what comes after the amount was kept for this one.
 */
const isOwn =
  ({ shared, due, assetId, watchUntil }: Attempt) =>
  ({ amount, assetId: arrived, paidAt }: Sighting): boolean =>
    !shared || (amount === due && arrived === assetId && paidAt <= watchUntil + SHARED_REST_MS)
