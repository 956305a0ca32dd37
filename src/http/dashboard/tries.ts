import { Refusal } from '../../domain/errors.ts'

const HOUR_MS = 3600_000
/** More than anybody needs who mistypes, and far too few to guess a password. */
const WRONG_MAX = 60
/** A code has only six digits. */
export const WRONG_CODES_MAX = 10
const ACCOUNTS_MAX = 10_000

/** Limits how often the password or the code of one account may be wrong, whatever client sends it. */
export interface Tries {
  /**
   * Runs a check of a password or a code. A check that throws counts as wrong. Throws rate_limited, without
   * the check, when there were too many of them.
   */
  counting<T>(account: string, check: () => Promise<T>, max?: number): Promise<T>
}

/** `now` is the real clock, in milliseconds. The account that failed longest ago is forgotten first. */
export function makeTries(now: () => number = Date.now): Tries {
  const wrong = new Map<string, { count: number; since: number }>()
  return {
    async counting(account, check, max = WRONG_MAX) {
      const at = now()
      const known = wrong.get(account)
      const isOver = !known || at - known.since >= HOUR_MS
      if (!isOver && known.count >= max) {
        const seconds = Math.ceil((known.since + HOUR_MS - at) / 1000)
        throw new Refusal('rate_limited', undefined, { retryAfterSeconds: seconds })
      }
      const entry = isOver ? { count: 1, since: at } : { ...known, count: known.count + 1 }
      // Counted before the check, so that many checks at once do not pass.
      wrong.delete(account)
      wrong.set(account, entry)
      if (wrong.size > ACCOUNTS_MAX) wrong.delete(wrong.keys().next().value ?? '')
      const result = await check()
      wrong.delete(account)
      return result
    },
  }
}
