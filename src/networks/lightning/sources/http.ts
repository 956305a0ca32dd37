import type { Json } from '../../../domain/metadata.ts'
import { AccountError, NetworkError, StatusError } from '../../port.ts'
import { HttpEndpoint, type HttpResponse } from '../../rpc/http.ts'
import type { JsonObject } from '../../rpc/json.ts'
import { type SourceTools, sourceError } from './port.ts'

const RESPONSE_BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 10_000
/** Matches the errors with which some nodes report a wrong secret. */
const denials = /macaroon|permission denied|verification failed|not authori[sz]ed|unauthori[sz]ed/i

type HttpTools = Pick<SourceTools, 'fetch' | 'clock'>

/** Makes an endpoint with the limits that apply to all servers that merchants name. */
export const endpointOf = (url: string, { fetch, clock }: HttpTools, headers: Record<string, string> = {}) =>
  new HttpEndpoint(url, {
    ...{ fetch, clock, timeoutMs: TIMEOUT_MS, maxBytes: RESPONSE_BYTES_MAX },
    headersOf: () => headers,
  })

/** Returns the host and the port of a URL, as they are written in the setting that allows private hosts. */
export function hostAndPort(text: string): string {
  const { hostname, port, protocol } = new URL(text)
  return `${hostname}:${port || (/^(?:https|wss):$/.test(protocol) ? 443 : 80)}`
}

/** Waits for an answer. If the host is private, the error says what an operator can do about it. */
export async function reached<Answer>(url: string, asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof NetworkError) || error.fault !== 'private') throw error
    throw new AccountError({ kind: 'lightningPrivate', host: hostAndPort(url) }, error.message)
  }
}

/** The API of a node or service, with a secret in the header of each request. */
export class NodeApi {
  readonly #endpoint: HttpEndpoint
  readonly #url: string

  constructor(url: string, headers: Record<string, string>, tools: HttpTools) {
    this.#endpoint = endpointOf(url, tools, headers)
    this.#url = url
  }

  /** Returns the answer, also for an error status below 500. Throws NetworkError. */
  get = (path: string) => this.#ask(this.#endpoint.get(path))
  post = (path: string, body: JsonObject) => this.#ask(this.#endpoint.post(path, JSON.stringify(body)))
  postForm = (path: string, fields: Record<string, string>) =>
    this.#ask(this.#endpoint.post(path, new URLSearchParams(fields).toString(), FORM))

  async #ask(asking: Promise<HttpResponse>): Promise<Json> {
    const { status, text } = await reached(this.#url, asking).catch((error: unknown) => {
      if (!(error instanceof NetworkError)) throw error
      if (error.fault === 'denied') throw denied()
      if (error.fault === 'malformed') throw notANode()
      throw error
    })
    if (status >= 400 && denials.test(text ?? '')) throw denied()
    if (status >= 500) throw new StatusError(`answered with status ${status}`, status)
    if (status >= 400) throw sourceError('lightningNode', `the node refused a request with status ${status}`)
    return parse(text)
  }
}

const FORM = 'application/x-www-form-urlencoded'

const denied = () => sourceError('lightningSecret', 'the node refused the secret')
export const notANode = () => sourceError('lightningNode', 'the server does not answer as this kind of node')

function parse(text: string | null): Json {
  try {
    return JSON.parse(text ?? '') as Json
  } catch {
    throw notANode()
  }
}

/** Reads an object in an answer. */
export function objectIn(json: Json | undefined): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw notANode()
  return json
}

export function textIn(json: Json | undefined): string {
  if (typeof json !== 'string') throw notANode()
  return json
}

/**
 * Reads thousandths of a satoshi, as a number or as text, which some nodes end with "msat"; null if missing.
 */
export function msatIn(json: Json | undefined): bigint | null {
  if (json === undefined || json === null) return null
  const text = String(json).replace(/msat$/, '')
  if (!/^[0-9]{1,19}$/.test(text)) throw notANode()
  return BigInt(text)
}

/** Throws if a node reports the state of another invoice than the one that was asked for. */
export function requireSame(reported: Json | undefined, asked: string): void {
  if (typeof reported === 'string' && reported.toLowerCase() === asked) return
  throw sourceError('lightningNode', 'the node reports the state of another invoice, or none')
}

/** Reads 32 bytes in hex, base64 or base64url, and returns them in hex; null for anything else. */
export function bytes32In(json: Json | undefined): string | null {
  if (typeof json !== 'string') return null
  if (/^[0-9a-f]{64}$/i.test(json)) return json.toLowerCase()
  const bytes = Buffer.from(json, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}
