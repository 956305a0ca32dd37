import type { Caller } from '../domain/api-key.ts'
import type { Actor, Origin } from '../domain/audit.ts'
import type { Refusal } from '../domain/errors.ts'

/** State of a request while it is served. */
interface RequestState {
  id: string
  startedAt: number
  /** Looks up the address at the other end of the connection. */
  peer: () => string | null
  /** The address of the client behind the trusted proxies; empty if unknown. */
  address: () => string
  /** holder of the request's API key, once the key is checked */
  caller: Promise<Caller> | null
  merchantId?: string
  keyId?: string
  /** counts the request against the limit of its API key */
  limitKey: (request: Request) => void
  /** headers of the response */
  headers: Record<string, string | number>
  /**
   * the person who was refused a page or form of the dashboard, and the reason; null if nobody was refused
   */
  denied: { userId: string | null; reason: string } | null
  /** refusal for which the request's form is shown again instead of being submitted */
  limited: Refusal | null
  /** true if many requests get the same page, which is then compressed once */
  isPageShared: boolean
  /** true if the request was counted against the client's rate limit */
  isCounted: boolean
}

const states = new WeakMap<Request, RequestState>()

const unknownPeer = () => null
const unknownAddress = () => ''
const noLimit = () => {}

export function requestState(request: Request): RequestState {
  const known = states.get(request)
  if (known) return known
  const state: RequestState = {
    id: Bun.randomUUIDv7(),
    startedAt: performance.now(),
    peer: unknownPeer,
    address: unknownAddress,
    caller: null,
    limitKey: noLimit,
    headers: {},
    denied: null,
    limited: null,
    isPageShared: false,
    isCounted: false,
  }
  states.set(request, state)
  return state
}

export const requestId = (request: Request): string => requestState(request).id

/** The author of a change that a request makes, for the audit log. */
export const originOf = (request: Request, actor: Actor): Origin => {
  const { id, address } = requestState(request)
  return { actor, requestId: id, client: address() || null }
}

/** True if a page requests a part of itself. */
export const wantsPart = (request: Request): boolean => request.headers.has('hx-request')

/** True if the client is a browser, which gets a page instead of JSON. */
export const wantsPage = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/html')

/** The path of a URL as the URL spells it; empty if the URL has no path. Never throws. */
export function pathOf(url: string): string {
  const from = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const path = from < 0 ? '' : url.slice(from)
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}
