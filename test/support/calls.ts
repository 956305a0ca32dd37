/** A call of JSON-RPC, as a test sees it on its way to an endpoint. */
export interface Call {
  id: number
  method: string
  params: unknown[]
}

export type Reply = { id: number; result?: unknown; error?: unknown }

/** The calls in the body of a request, which may be a batch. */
export const callsIn = (body: string): Call[] => [JSON.parse(body) as Call | Call[]].flat()

/** Replaces replies of an endpoint with other results or errors. A reply stays where `own` returns null. */
export async function replacing(
  body: string,
  answer: Response,
  own: (call: Call, reply: Reply) => object | null,
): Promise<Response> {
  const replies = [(await answer.json()) as Reply | Reply[]].flat()
  const changed = callsIn(body).map(call => {
    const reply = replies.find(({ id }) => id === call.id)
    const other = reply ? own(call, reply) : null
    return other ? { jsonrpc: '2.0', ...other, id: call.id } : reply
  })
  return Response.json(body.startsWith('[') ? changed : changed[0])
}
