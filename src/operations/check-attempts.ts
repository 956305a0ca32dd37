import { chainOf } from '../domain/asset.ts'
import type { Attempt } from '../domain/attempt.ts'
import { assert } from '../domain/errors.ts'
import { NetworkFault, type Sighting } from '../networks/port.ts'
import { ProviderFault } from '../providers/port.ts'
import { recordFacts, storedAttempt } from './record-facts.ts'
import { recordSightings } from './record-sightings.ts'
import { nextPollAt } from './schedule-poll.ts'
import type { World } from './world.ts'

const RETRY_MS = 60_000

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
      const wasHeard = await look(world, source, group)
      const now = world.clock()
      for (const attempt of await load(
        world,
        group.map(({ id }) => id),
      )) {
        next.set(attempt.id, wasHeard ? nextPollAt(attempt, now) : now + RETRY_MS)
      }
    }),
  )
  return next
}

const load = (world: World, ids: string[]): Promise<Attempt[]> =>
  world.storage.read(async tables => {
    const attempts = await Promise.all(ids.map(id => tables.attempts.find(id)))
    return attempts.filter(attempt => attempt !== null)
  })

async function look(world: World, source: string, attempts: Attempt[]): Promise<boolean> {
  try {
    if (attempts[0]?.provider) await askProvider(world, source, attempts)
    else await askNetwork(world, source, attempts)
    return true
  } catch (error) {
    if (!(error instanceof NetworkFault || error instanceof ProviderFault)) throw error
    world.log.warn({ source, attempts: attempts.length, fault: error.message }, 'an upstream was not heard')
    return false
  }
}

async function askProvider(world: World, id: string, attempts: Attempt[]): Promise<void> {
  const provider = world.providers.find(id)
  if (!provider) throw new ProviderFault('unavailable', `the provider ${id} is not configured any more`)
  for (const attempt of attempts) {
    if (!attempt.providerRef) continue
    const askedAt = world.clock()
    await recordFacts(world, attempt, await provider.lookup(storedAttempt(attempt)), askedAt)
  }
}

async function askNetwork(world: World, chain: string, attempts: Attempt[]): Promise<void> {
  const network = world.networks.of(chain)
  if (!network) throw new NetworkFault(`the network ${chain} is not configured any more`)
  const watches = attempts.map(attempt => {
    const asset = world.networks.asset(attempt.assetId)
    assert(asset && attempt.address, 'an attempt on a chain has an asset and an address')
    const { id, address, addressSource, cursor, opinions } = attempt
    return { attemptId: id, asset, address, source: addressSource, cursor, opinions }
  })
  const askedAt = world.clock()
  const byId = new Map(attempts.map(attempt => [attempt.id, attempt]))
  for (const { attemptId, sightings, ...seen } of await network.check(watches)) {
    const own = sightings.filter(isOwn(byId.get(attemptId)!))
    await recordSightings(world, attemptId, { source: chain, askedAt, ...seen, sightings: own })
  }
}

/** What arrives at a shared address in another amount is another buyer's, or the merchant's own business. */
const isOwn =
  ({ shared, due, assetId }: Attempt) =>
  (sighting: Sighting): boolean =>
    !shared || (sighting.amount === due && sighting.assetId === assetId)
