import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'

/** Cost of a hash: its memory in KiB, and the number of passes over it. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** OWASP's recommendation: 19 MiB and two passes. */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** Max hashes at once. Each takes a core and 19 MiB for a while: strangers could stop the server. */
const AT_ONCE = 2
const WAITING_MAX = 16
const RETRY_SECONDS = 5

/** Hashed for an address without a password, so that the answer takes as long. */
const NOBODY = 'a password that nobody has'

/** Hashes passwords with argon2id. */
export function makePasswords(cost = RECOMMENDED): Context['passwords'] {
  const hashOf = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })
  const waiting: (() => void)[] = []
  let running = 0
  let nobody: Promise<string> | undefined

  async function limited<T>(work: () => Promise<T>): Promise<T> {
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

  return {
    hash: password => limited(() => hashOf(password)),
    async verify(password, hash) {
      nobody ??= hashOf(NOBODY)
      const stored = hash ?? (await nobody)
      const isRight = await limited(() => Bun.password.verify(password, stored))
      return isRight && hash !== null
    },
  }
}
