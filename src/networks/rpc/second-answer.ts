import { type MinedTransaction, NetworkError } from '../port.ts'
import type { Endpoints } from './failover.ts'

type Failover<N> = Pick<Endpoints<N>, 'withFailover'>
type Another<N, T> = { node: N; answer: T; error: null } | { error: string }

/**
 * Asks an endpoint that was not asked yet. Returns an error if no endpoint could be asked. Throws
 * NetworkError if none was asked before.
 */
export async function askAnother<N, T>(
  endpoints: Failover<N>,
  work: (node: N) => Promise<T>,
  asked: readonly N[],
): Promise<Another<N, T>> {
  const one = async (node: N) => ({ node, answer: await work(node), error: null })
  try {
    return await endpoints.withFailover(one, ...asked)
  } catch (error) {
    if (asked.length === 0 || !(error instanceof NetworkError)) throw error
    return { error: error.message }
  }
}

/**
 * Asks one endpoint after the other the same question, until their answers are enough or no other endpoint is
 * usable. Throws NetworkError when no endpoint is usable.
 */
export async function askUntil<N, T>(
  endpoints: Failover<N>,
  work: (node: N) => Promise<T>,
  isEnough: (answers: readonly T[]) => boolean,
): Promise<T[]> {
  const [asked, answers]: [N[], T[]] = [[], []]
  while (!isEnough(answers)) {
    const next = await askAnother(endpoints, work, asked)
    if (next.error !== null) break
    asked.push(next.node)
    answers.push(next.answer)
  }
  return answers
}

/** Returns the first result of `pairOf` for two answers that is not null; null if all are. */
export function firstPair<T, R>(answers: readonly T[], pairOf: (a: T, b: T) => R | null): R | null {
  for (const [index, one] of answers.entries())
    for (const other of answers.slice(0, index)) {
      const found = pairOf(other, one)
      if (found !== null) return found
    }
  return null
}

const textOf = (transaction: MinedTransaction | null): string =>
  JSON.stringify(transaction, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/**
 * Reads a transaction until two endpoints report the same of it; null if it is not in a final block for them,
 * or if the only two endpoints disagree about that. Throws NetworkError if all report different things.
 */
export async function readWithTwo<N>(
  endpoints: Failover<N>,
  read: (node: N) => Promise<MinedTransaction | null>,
): Promise<MinedTransaction | null> {
  type Answer = { transaction: MinedTransaction | null }
  const same = (a: Answer, b: Answer) => (textOf(a.transaction) === textOf(b.transaction) ? a : null)
  const answers = await askUntil(
    endpoints,
    async (node): Promise<Answer> => ({ transaction: await read(node) }),
    some => firstPair(some, same) !== null,
  )
  const agreed = answers.length === 1 ? answers[0] : firstPair(answers, same)
  if (agreed) return agreed.transaction
  if (answers.some(({ transaction }) => transaction === null)) return null
  throw new NetworkError('all endpoints report one transaction differently')
}
