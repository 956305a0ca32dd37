import { asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { Call, NodeError, Reply } from './json-rpc-codec.ts'

/** One verified endpoint that speaks JSON-RPC. */
export interface Node {
  ask(calls: Call[]): Promise<Reply[]>
}

/** A call with the function that reads its result. */
export interface Query<T> {
  call: Call
  read(result: Json): T
  /** Reads a rejection of the call as a result. Missing where a rejection is an error. */
  onRefused?(error: NodeError): T
}

/**
 * Sends all queries in as few requests as the endpoint accepts, and equal calls only once. Throws
 * NetworkError.
 */
export async function ask<T extends unknown[]>(
  node: Node,
  queries: { [K in keyof T]: Query<T[K]> },
): Promise<T> {
  if (queries.length === 0) return [] as unknown as T
  const keys = queries.map(({ call }: Query<unknown>) => JSON.stringify(call))
  const calls = new Map(
    keys.map((key, index) => [key, asserted(queries[index], 'each key has its query').call]),
  )
  const answers = await node.ask([...calls.values()])
  const replies = new Map([...calls.keys()].map((key, index) => [key, answers[index]]))
  return queries.map((query: Query<unknown>, index: number) => {
    const reply = replies.get(asserted(keys[index], 'each query has its key'))
    if (!reply) throw new NetworkError('did not answer every call')
    if ('result' in reply) return query.read(reply.result)
    if (query.onRefused) return query.onRefused(reply.error)
    throw new NetworkError(`rejected ${query.call.method}: "${reply.error.message}"`)
  }) as T
}
