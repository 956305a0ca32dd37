import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'

/** Cost of a hash: its memory in KiB, and the number of passes over it. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** The cost that OWASP recommends: 19 MiB and two passes. */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** Max hashes at once in a lane. Each takes a core and 19 MiB: with more, strangers could stop the server. */
const AT_ONCE = 2
const WAITING_MAX = 16
const RETRY_SECONDS = 5

/**
 * A password to hash when no user has the entered address, so that the answer takes as long as for a user.
 */
const NOBODY = 'a password that nobody has'

type Lane = <T>(work: () => Promise<T>) => Promise<T>

/** Makes a lane, which runs a few tasks at once, lets others wait, and refuses more. */
function makeLane(): Lane {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) {
        throw new Refusal('rate_limited', 'Too many people are signing in. Try again in a moment.', {
          retryAfterSeconds: RETRY_SECONDS,
        })
      }
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Hashes passwords with argon2id. Strangers and known people have lanes of their own. */
export function makePasswords(cost = RECOMMENDED): Context['passwords'] {
  const hashOf = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })
  const [known, strangers] = [makeLane(), makeLane()]
  let nobody: Promise<string> | undefined
  return {
    hash: password => known(() => hashOf(password)),
    async verify(password, hash, isKnown) {
      nobody ??= hashOf(NOBODY)
      const stored = hash ?? (await nobody)
      const isRight = await (isKnown ? known : strangers)(() => Bun.password.verify(password, stored))
      return isRight && hash !== null
    },
  }
}
