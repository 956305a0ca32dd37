/** What is known of a request from its first moment: its id, when it came, and from whom. */
interface Trace {
  id: string
  startedAt: number
  /** the address at the other end of the connection */
  peer: string | null
  merchantId?: string
}

const traces = new WeakMap<Request, Trace>()

export function trace(request: Request): Trace {
  const known = traces.get(request)
  if (known) return known
  const fresh = { id: Bun.randomUUIDv7(), startedAt: performance.now(), peer: null }
  traces.set(request, fresh)
  return fresh
}

export const requestId = (request: Request): string => trace(request).id

/** Whether a person with a browser asks, who is better served with a page than with JSON. */
export const wantsPage = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/html')
