import type { Json } from '../../domain/metadata.ts'
import { Malformed, StatusError } from '../port.ts'
import { RateLimited } from './http.ts'

export interface Call {
  method: string
  params: Json[] | { [name: string]: Json }
}

/** The error with which a node answered one call. */
export interface NodeError {
  code: number
  message: string
}

export type Reply = { result: Json } | { error: NodeError }

/** The replies in the order of the calls, or the error with which the node refused the request as a whole. */
export type BatchResult = Reply[] | { refused: NodeError }

const TOO_MANY_REQUESTS = 429
/** The code of Ethereum's nodes for a call that a contract refused. */
const REVERTED = 3
const rateLimitWords = /rate.?limit|too many requests|request limit|compute units|throttl/i
/**
 * Matches the word that begins a contract's own message. Such a message is not taken for a rate limit, since
 * anybody can write a contract that says "rate limit".
 */
const revertedWords = /\brevert(?:ed)?\b/i

type Redact = (message: string) => string
/** Parses JSON. Throws for invalid JSON. */
export type Parse = (text: string) => Json
type JsonObject = { [key: string]: Json }

const isObject = (json: Json | undefined): json is JsonObject =>
  json !== null && typeof json === 'object' && !Array.isArray(json)

/** Writes the request body. A single call is no array, since some nodes refuse batches. IDs count from 1. */
export function printCalls(calls: Call[]): string {
  const requests = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }))
  return JSON.stringify(requests.length === 1 ? requests[0] : requests)
}

/** Reads the response to `count` calls. Throws NetworkError for invalid JSON-RPC. */
export function readReplies(
  text: string,
  status: number,
  count: number,
  redact: Redact,
  parse: Parse,
): BatchResult {
  const json = parsed(text, parse)
  const single = Array.isArray(json) && json.length === 1 ? json[0] : json
  const error = isObject(single) ? errorOf(single, redact) : null
  if (error) return count === 1 ? [{ error }] : { refused: error }
  const replies = repliesOf(Array.isArray(json) ? json : [json], count, redact)
  if (replies) return replies
  if (count > 1 && isRefusal(status)) return { refused: { code: 0, message: `status ${status}` } }
  const suffix = status === 200 ? '' : ` with status ${status}`
  if (status >= 500) throw new StatusError(`returned invalid JSON-RPC${suffix}`, status)
  throw new Malformed(`returned invalid JSON-RPC${suffix}`)
}

/** Returns the replies in the order of the calls; null unless there is exactly one reply to each call. */
function repliesOf(jsons: (Json | undefined)[], count: number, redact: Redact): Reply[] | null {
  if (jsons.length !== count) return null
  const replies = new Map<unknown, Reply>()
  for (const reply of jsons) {
    if (!isObject(reply)) return null
    const error = errorOf(reply, redact)
    if (error) replies.set(reply.id, { error })
    else if (reply.result !== undefined) replies.set(reply.id, { result: reply.result })
    else return null
  }
  const ordered = Array.from({ length: count }, (_, index) => replies.get(index + 1))
  return ordered.every(reply => reply !== undefined) ? ordered : null
}

function errorOf(json: JsonObject, redact: Redact): NodeError | null {
  const { error } = json
  if (error === undefined || error === null) return null
  const { code, message } = isObject(error) ? error : { code: 0, message: error }
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? '')
  const isLimit = rateLimitWords.test(text) && code !== REVERTED && !revertedWords.test(text)
  if (code === TOO_MANY_REQUESTS || isLimit) throw new RateLimited(null)
  return { code: typeof code === 'number' ? code : 0, message: redact(text) }
}

/** True for the status of a server that refuses a request because of its form or size, not its key. */
const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 403

function parsed(text: string, parse: Parse): Json | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
