import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'
import { RateLimited } from './http.ts'

export interface Call {
  method: string
  params: Json[] | { [name: string]: Json }
}

/** A node's own refusal of one call. */
export interface NodeError {
  code: number
  message: string
}

export type Reply = { result: Json } | { error: NodeError }

/** The replies in the order of the calls; or a node that does not take so many in one request, or none. */
export type BatchResult = Reply[] | { refused: NodeError }

const TOO_MANY_REQUESTS = 429
const rateLimitWords = /rate.?limit|too many requests|request limit|compute units|throttl/i

type Plain = (words: string) => string
/** Throws for what is no JSON. */
export type Parse = (text: string) => Json
type JsonObject = { [key: string]: Json }

const isObject = (json: Json | undefined): json is JsonObject =>
  json !== null && typeof json === 'object' && !Array.isArray(json)

/** What is sent: one call as it is, several as an array. Their ids are their places, from 1. */
export function printCalls(calls: Call[]): string {
  const requests = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }))
  return JSON.stringify(requests.length === 1 ? requests[0] : requests)
}

/** Reads what came back for so many calls. Throws NetworkFault for what is no JSON-RPC. */
export function readReplies(
  text: string,
  status: number,
  count: number,
  plain: Plain,
  parse: Parse,
): BatchResult {
  const json = parsed(text, parse)
  const alone = Array.isArray(json) && json.length === 1 ? json[0] : json
  const error = isObject(alone) ? errorOf(alone, plain) : null
  if (error) return count === 1 ? [{ error }] : { refused: error }
  const replies = repliesOf(Array.isArray(json) ? json : [json], count, plain)
  if (replies) return replies
  if (count > 1 && isRefusal(status)) return { refused: { code: 0, message: `status ${status}` } }
  const added = status === 200 ? '' : ` and status ${status}`
  throw new NetworkError(`answers with no valid JSON-RPC${added}`)
}

/** In the order of the calls; null where not exactly they are answered. */
function repliesOf(members: (Json | undefined)[], count: number, plain: Plain): Reply[] | null {
  if (members.length !== count) return null
  const replies = new Map<unknown, Reply>()
  for (const member of members) {
    if (!isObject(member)) return null
    const error = errorOf(member, plain)
    if (!error && member.result === undefined) return null
    replies.set(member.id, error ? { error } : { result: member.result! })
  }
  const ordered = Array.from({ length: count }, (_, index) => replies.get(index + 1))
  return ordered.every(reply => reply !== undefined) ? ordered : null
}

function errorOf(json: JsonObject, plain: Plain): NodeError | null {
  const { error } = json
  if (error === undefined || error === null) return null
  const { code, message } = isObject(error) ? error : { code: 0, message: error }
  const words = typeof message === 'string' ? message : JSON.stringify(message ?? '')
  if (code === TOO_MANY_REQUESTS || rateLimitWords.test(words)) throw new RateLimited(null)
  return { code: typeof code === 'number' ? code : 0, message: plain(words) }
}

/** Statuses by which servers refuse a request for its form or size, and not for its key. */
const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 403

function parsed(text: string, parse: Parse): Json | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
