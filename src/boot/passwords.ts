import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'

/** What one hash costs: its memory in KiB, and how often all of it is gone through. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** As OWASP recommends: 19 MiB and two rounds. */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** Each hash takes a core and 19 MiB for a while: more at once would let a stranger stop the server. */
const AT_ONCE = 2
const WAITING_MAX = 16
const RETRY_SECONDS = 5

/** What is computed for an address that has no password, so that the answer takes as long. */
const NOBODY = 'a password that nobody has'

/** Hashes passwords with argon2id, two at a time. */
export function makePasswords(cost = RECOMMENDED): Context['passwords'] {
  const hashOf = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })
  const waiting: (() => void)[] = []
  let running = 0
  let nobody: Promise<string> | undefined

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) {
        throw new Refusal(
          'rate_limited',
          'Too many people are signing in. Try again in a moment.',
          undefined,
          RETRY_SECONDS,
        )
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
