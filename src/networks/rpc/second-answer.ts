import { type MinedTransaction, NetworkError } from '../port.ts'
import type { Endpoints } from './failover.ts'

/**
 * Asks two endpoints the same question. The second answer is null without another usable endpoint. Throws
 * NetworkError when no endpoint is usable.
 */
export async function askTwo<N, T>(
  endpoints: Endpoints<N>,
  work: (node: N) => Promise<T>,
): Promise<[first: T, second: { answer: T } | null]> {
  const { node, first } = await endpoints.withFailover(async asked => ({
    node: asked,
    first: await work(asked),
  }))
  try {
    return [first, { answer: await endpoints.withFailover(work, node) }]
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return [first, null]
  }
}

/**
 * Reads a transaction with two endpoints; null until both have it in a final block. Throws NetworkError if
 * they report different fees.
 */
export async function readWithTwo<N>(
  endpoints: Endpoints<N>,
  read: (node: N) => Promise<MinedTransaction | null>,
): Promise<MinedTransaction | null> {
  const [first, second] = await askTwo(endpoints, read)
  if (!second || first === null) return first
  if (second.answer !== null && second.answer.feeAtomic !== first.feeAtomic)
    throw new NetworkError('two endpoints report different fees of one transaction')
  return second.answer && first
}
