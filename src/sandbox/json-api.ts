import type { State } from './state.ts'

/** An error of a simulated API, in the words of its provider. */
export abstract class ApiError extends Error {
  abstract readonly status: number
  abstract toJson(): object
}

export type Json = { [name: string]: unknown }

/** A request to a simulated API. */
interface ApiRequest {
  account: string
  body: Json
  /** the first ID in the path; `ids` has all of them */
  id: string
  ids: readonly string[]
  query: URLSearchParams
}

/**
 * The handlers of requests, by method and path. They return null for an answer without a body. `$` stands for
 * an ID.
 */
export type Handlers = Record<string, (request: ApiRequest) => Promise<object | null> | object | null>

interface JsonApi {
  /** storage of the idempotency keys */
  state: State
  kind: string
  idempotencyHeader: string
  /** start of the paths of the API */
  root: string
  /** matches all IDs in a path */
  id: RegExp
  handlers: Handlers
  /** throws ApiError */
  accountOf(request: Request): string
  notFound(): ApiError
  /** the error for a repeated request while the first one is still being carried out */
  inProgress(): ApiError
}

/** Runs a request, unless one with the same idempotency key is running: then throws the given error. */
export async function runOnce<T>(
  running: Set<string>,
  key: string,
  make: () => Promise<T>,
  inProgress: () => Error,
): Promise<T> {
  if (running.has(key)) throw inProgress()
  running.add(key)
  try {
    return await make()
  } finally {
    running.delete(key)
  }
}

/** Answers requests to a simulated API of JSON objects. */
export function answering(api: JsonApi) {
  const running = new Set<string>()

  /** Answers a repeated request with the first answer, as providers do for an idempotency key. */
  async function once(request: Request, account: string, make: () => ReturnType<Handlers[string]>) {
    const key = request.headers.get(api.idempotencyHeader)
    if (key === null) return make()
    const id = `${account} ${key}`
    const known = api.state.get<object>(api.kind, id)
    if (known) return known
    const store = async () => {
      const json = await make()
      api.state.put(api.kind, id, json)
      return json
    }
    return runOnce(running, id, store, api.inProgress)
  }

  return async (request: Request, body: unknown): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(request.url)
    const path = pathname.slice(pathname.indexOf(api.root) + api.root.length)
    const ids = path.match(api.id) ?? []
    const [id = ''] = ids
    const handle = api.handlers[`${request.method} ${path.replace(api.id, () => '$')}`]
    try {
      const account = api.accountOf(request)
      if (!handle) throw api.notFound()
      const json = await once(request, account, () =>
        handle({ account, body: (body ?? {}) as Json, id, ids, query }),
      )
      if (json === null) return new Response(null, { status: 204 })
      return Response.json(json, { status: request.method === 'POST' ? 201 : 200 })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return Response.json(error.toJson(), { status: error.status })
    }
  }
}
