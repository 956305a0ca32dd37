import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import type { Call, NodeError, Reply } from './json-rpc-codec.ts'

/** One endpoint that speaks JSON-RPC, and has proven to be of the right chain. */
export interface Node {
  ask(calls: Call[]): Promise<Reply[]>
}

/** A call, with what its answer means. */
export interface Query<T> {
  call: Call
  read(result: Json): T
  /** what a node's own refusal of the call means; where it is missing, a fault */
  onRefused?(error: NodeError): T
}

/** Asks them all in as few requests as the endpoint takes, each call once. Throws NetworkFault. */
export async function ask<T extends unknown[]>(
  node: Node,
  questions: { [K in keyof T]: Query<T[K]> },
): Promise<T> {
  if (questions.length === 0) return [] as unknown as T
  const keys = questions.map(({ call }: Query<unknown>) => JSON.stringify(call))
  const calls = new Map(keys.map((key, index) => [key, questions[index]!.call]))
  const answers = await node.ask([...calls.values()])
  const replies = new Map([...calls.keys()].map((key, index) => [key, answers[index]]))
  return questions.map((question: Query<unknown>, index: number) => {
    const reply = replies.get(keys[index]!)
    if (!reply) throw new NetworkError('does not answer each call')
    if ('result' in reply) return question.read(reply.result)
    if (question.onRefused) return question.onRefused(reply.error)
    throw new NetworkError(`refuses ${question.call.method}: "${reply.error.message}"`)
  }) as T
}
