import { dueSince, isUnread, lookAt, nextLookAt, noLooks, withLook } from '../../domain/elsewhere.ts'
import { asserted } from '../../domain/errors.ts'
import { otherChains } from '../addresses/steps/other-chains.ts'
import type { Context } from '../context.ts'
import type { RecordContext } from '../settlement/record.ts'
import { follow, reportUnread, type Target } from './steps/follow.ts'

/** A payment that is not final after this time is checked once a day. */
const FOLLOWED_MS = 24 * 3600_000

/**
 * Looks for payments to the addresses of attempts on chains other than the one that the buyer was asked to
 * pay on. Attempts share requests: usually there is one per chain. Returns the time at which each attempt is
 * due again; null for never.
 */
export async function lookElsewhere(
  context: RecordContext,
  ids: string[],
): Promise<ReadonlyMap<string, number | null>> {
  const askedAt = context.clock()
  const targets = await loadTargets(context, ids)
  const chains = new Set(targets.flatMap(target => target.chains))
  await Promise.all(
    [...chains].map(chain => {
      const due = targets.filter(target => isDue(target, chain, askedAt))
      return due.length === 0 ? null : lookOnChain(context, chain, due, askedAt)
    }),
  )
  const next = new Map<string, number | null>(ids.map(id => [id, null]))
  const now = context.clock()
  for (const { attempt, known, chains: own, followed } of await loadTargets(context, ids)) {
    next.set(attempt.id, nextLookAt(attempt, known, own, followed.size > 0, now))
  }
  return next
}

function isDue({ attempt, known, chains, followed }: Target, chain: string, now: number): boolean {
  if (!chains.includes(chain)) return false
  const since = dueSince(attempt, known, now)
  return followed.has(chain) || (since !== null && isUnread(lookAt(known, chain), since, now))
}

/** Loads the attempts whose address exists on another chain that has endpoints. */
function loadTargets(context: RecordContext, ids: string[]): Promise<Target[]> {
  const now = context.clock()
  return context.storage.read(async tables => {
    const found = await Promise.all(
      ids.map(async (id): Promise<Target[]> => {
        const attempt = await tables.attempts.find(id)
        if (attempt?.provider !== null) return []
        const chains = otherChains(context, attempt)
        if (chains.length === 0) return []
        const known = (await tables.elsewhere.find(id)) ?? noLooks(id)
        const hasFound = Object.values(known.chains).some(({ cursor }) => cursor !== null)
        const payments = hasFound ? await tables.incomingPayments.listOf(id) : []
        const open = payments.filter(
          ({ state, source, createdAt }) =>
            state === 'seen' && chains.includes(source) && now - createdAt < FOLLOWED_MS,
        )
        return [{ attempt, known, chains, followed: new Set(open.map(({ source }) => source)) }]
      }),
    )
    return found.flat()
  })
}

/** Reads balances on a chain, and searches for payments only to addresses that have or had a balance. */
async function lookOnChain(
  context: RecordContext,
  chain: string,
  targets: Target[],
  askedAt: number,
): Promise<void> {
  const addressOf = ({ attempt }: Target): string => attempt.address
  let unread = targets
  try {
    const sharing = asserted(context.networks.of(chain)?.sameAddresses, 'the chain shares addresses')
    const held = await sharing.balances(targets.map(addressOf))
    const isEmpty = (target: Target): boolean =>
      lookAt(target.known, chain).cursor === null && !held.has(addressOf(target))
    const empty = targets.filter(isEmpty)
    await note(context, chain, empty, { readAt: askedAt, failedAt: null })
    unread = targets.filter(target => !isEmpty(target))
    unread = await follow(context, chain, unread, { askedAt, held })
  } catch (error) {
    reportUnread(context, chain, error)
  }
  await note(context, chain, unread, { failedAt: askedAt })
}

/**
 * Stores the result of a check in the attempts' current rows: during the check, a buyer may have asked again,
 * and other chains may have been read.
 */
async function note(
  { storage }: Pick<Context, 'storage'>,
  chain: string,
  targets: Target[],
  change: { readAt?: number; failedAt: number | null },
): Promise<void> {
  if (targets.length === 0) return
  await storage.write(async tables => {
    for (const { attempt } of targets) {
      const known = (await tables.elsewhere.find(attempt.id)) ?? noLooks(attempt.id)
      await tables.elsewhere.put(withLook(known, chain, change))
    }
  })
}
