import { createHash } from 'node:crypto'
import { Refusal } from '../../../domain/errors.ts'
import { KNOWN_MS, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { type Browser, browserHash } from './new-browser.ts'
import { type ReportContext, reportAttack } from './report-attack.ts'

const HOUR_MS = 3600_000
/** Max counters that are stored, two for each try. The counter that expires first is deleted first. */
const COUNTS_MAX = 100_000

/** The number of wrong tries in an hour that need no pause, and the pause before each further try. */
interface Pace {
  free: number
  pauseMs: number
}

/** A secret that is entered to sign in, or to prove who a person is. */
type Secret = 'password' | 'code' | 'proof' | 'first'

/**
 * The pace at which each kind of secret can be tried. Guessing stays hopeless: a password has at least 10
 * characters and is not a common one, and each code of an app is one of a million. A stranger's guesses keep
 * nobody out: they only slow down browsers that the person has not used before.
 */
const paces: Record<Secret, { known: Pace; network?: Pace; account?: Pace }> = {
  password: {
    known: { free: 10, pauseMs: 60_000 },
    network: { free: 10, pauseMs: 60_000 },
    account: { free: 60, pauseMs: 10_000 },
  },
  // Codes are not counted for a network, because they are entered after the right password.
  code: {
    known: { free: 10, pauseMs: 1_800_000 },
    account: { free: 10, pauseMs: 1_800_000 },
  },
  // The code for the first person is not counted for an account: strangers must not keep that person out, and
  // nobody can guess 80 bits.
  first: {
    known: { free: 10, pauseMs: 60_000 },
    network: { free: 10, pauseMs: 60_000 },
  },
  // A proof is counted only for the browser, because only a person who is signed in can enter one.
  proof: { known: { free: 10, pauseMs: 60_000 } },
}

/** The number of wrong tries in an hour after which an attack is reported to the person and the operators. */
const REPORTED_AFTER = { password: 10, code: 5 }

type SlowContext = ReportContext & Pick<Context, 'realClock' | 'storage' | 'log' | 'origin'>

/** A secret that is entered for an account, and the browser. */
export interface Entering {
  secret: Secret
  /** the account: an email address in lower case, or the ID of a user */
  account: string
  /** user of the account; null for an address that nobody has */
  user: User | null
  browser: Pick<Browser, 'address' | 'network' | 'token'>
}

interface Counter {
  id: string
  pace: Pace
}

const idOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

/** True for a browser in which the user signed in during the last 30 days, as its cookie shows. */
const isKnownBrowser = async (
  { clock, storage }: Pick<Context, 'clock' | 'storage'>,
  user: User | null,
  { token }: Pick<Browser, 'token'>,
): Promise<boolean> =>
  user !== null &&
  (await storage.read(tables => tables.knownBrowsers.has(user.id, browserHash(token), clock() - KNOWN_MS)))

/** The counters of a try. A known browser has a counter of its own, so that no stranger slows it down. */
function countersOf({ secret, account, browser }: Entering, isKnown: boolean): Counter[] {
  const { known, network, account: all } = paces[secret]
  if (isKnown) return [{ id: idOf(secret, account, 'in', browser.token), pace: known }]
  return [
    ...(network ? [{ id: idOf(secret, account, 'from', browser.network), pace: network }] : []),
    ...(all ? [{ id: idOf(secret, account), pace: all }] : []),
  ]
}

/** The time to wait before the next try, in milliseconds; 0 if it can be made now. */
async function pauseOf(tables: Tables, counters: readonly Counter[], now: number): Promise<number> {
  const pauses = [0]
  for (const { id, pace } of counters) {
    const found = await tables.signInFailures.find(id)
    if (!found || now >= found.expiresAt || found.count < pace.free) continue
    // Even if the clock was ahead, nobody waits for longer than a pause.
    pauses.push(Math.min(found.lastAt + pace.pauseMs - now, pace.pauseMs))
  }
  return Math.max(...pauses)
}

interface Counted {
  counters: readonly Counter[]
  /** wrong tries for the account in the last hour, in unknown browsers, including this one */
  strange: number
}

/** Counts a try as wrong. Throws rate_limited without counting if it comes too early. */
async function count(context: SlowContext, entering: Entering, isKnown: boolean): Promise<Counted> {
  const now = context.realClock()
  const counters = countersOf(entering, isKnown)
  const look = async (tables: Tables): Promise<void> => {
    const pauseMs = await pauseOf(tables, counters, now)
    if (pauseMs > 0)
      throw new Refusal('rate_limited', undefined, { retryAfterSeconds: Math.ceil(pauseMs / 1000) })
  }
  // A flood of tries is refused without a write.
  await context.storage.read(look)
  return context.storage.write(async tables => {
    await look(tables)
    let strange = 0
    for (const { id } of counters) {
      const wrong = await tables.signInFailures.add(id, now, now + HOUR_MS, COUNTS_MAX)
      if (id === idOf(entering.secret, entering.account)) strange = wrong
    }
    return { counters, strange }
  })
}

const takeBack = ({ storage }: Pick<Context, 'storage'>, counters: readonly Counter[]): Promise<void> =>
  storage.write(async tables => {
    for (const { id } of counters) await tables.signInFailures.takeBack(id)
  })

const isWrong = (error: unknown): boolean => error instanceof Refusal && error.code === 'unauthorized'

/**
 * Runs a check of a secret, slowed down if there were many wrong secrets for the account. A secret is wrong
 * if its check throws unauthorized. The try is counted before the check runs, so that many at once do not
 * pass. Each outcome is logged, and many wrong tries are reported to the person and the operators.
 */
export async function slowedDown<T>(
  context: SlowContext,
  entering: Entering,
  check: (isKnown: boolean) => Promise<T>,
): Promise<T> {
  const { secret, user, browser } = entering
  const fields = {
    requestId: context.origin.requestId,
    by: secret,
    userId: user?.id ?? null,
    address: browser.address,
  }
  const isKnown = secret === 'proof' || (await isKnownBrowser(context, user, browser))
  let counted: Counted
  try {
    counted = await count(context, entering, isKnown)
  } catch (error) {
    // Logged as debug, which is only counted in the metrics: repeated tries would fill the log.
    if (error instanceof Refusal) context.log.debug(fields, 'sign_in.slowed')
    throw error
  }
  try {
    const result = await check(isKnown)
    await takeBack(context, counted.counters)
    return result
  } catch (error) {
    if (!isWrong(error)) await takeBack(context, counted.counters)
    else {
      context.log.warn(fields, 'sign_in.failed')
      if (secret !== 'proof' && secret !== 'first' && counted.strange >= REPORTED_AFTER[secret])
        await reportAttack(context, entering, secret, counted.strange)
    }
    throw error
  }
}
