import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { type Authority, makeAuthority } from './acme-authority.ts'

/*
 * A certificate authority that speaks ACME (RFC 8555, with the renewal information of RFC 9773) and is strict:
 * it verifies every signature, accepts each nonce once, and really fetches challenges.
 */

const DAY_MS = 24 * 3600_000

export interface AcmeServerOptions {
  now(): number
  /** port on which the challenges of every name are fetched */
  challengePort: number
  lifetimeMs?: number
}

interface Account {
  url: string
  key: KeyObject
  thumbprint: string
  contact: string[]
}

interface Authorization {
  name: string
  token: string
  status: 'pending' | 'valid' | 'invalid'
  error?: object
}

interface Order {
  account: Account
  names: string[]
  authorizations: string[]
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  pem?: string
  replaces: string | null
}

/** An error that is answered as a problem document. */
class Problem extends Error {
  constructor(
    readonly type: string,
    detail: string,
    readonly status = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail)
  }
}

interface Jwk {
  crv: string
  kty: string
  x: string
  y: string
}

/** Refuses a request unless the condition `holds`. */
function demand(holds: boolean, type: string, detail: string, status = 400): void {
  if (!holds) throw new Problem(type, detail, status)
}

const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
const random = () => randomBytes(24).toString('base64url')

const thumbprintOf = ({ crv, kty, x, y }: Jwk): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

export function startAcmeServer({ now, challengePort, lifetimeMs = 90 * DAY_MS }: AcmeServerOptions) {
  const authority: Authority = makeAuthority()
  const nonces = new Set<string>()
  const accounts = new Map<string, Account>()
  const orders = new Map<string, Order>()
  const authorizations = new Map<string, Authorization>()
  const issued = new Map<string, { revoked: boolean; notBefore: number; notAfter: number }>()
  const calls: string[] = []
  /** The faults that a test can cause. */
  const faults = {
    /** the server refuses connections, as a client sees it */
    isDown: false,
    /** the number of good nonces to refuse */
    badNonces: 0,
    /** seconds of Retry-After; null for no limit */
    rateLimited: null as number | null,
    /** replaces the answers to a kind of request */
    answer: {} as Record<string, (() => Response) | undefined>,
    /** the port at which challenges are fetched, such as that of another server */
    challengePort,
    window: null as { start: number; end: number } | null,
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: authority.serverPair('localhost'),
    fetch: async request => {
      if (faults.isDown) return new Response('down', { status: 503 })
      const { pathname } = new URL(request.url)
      const kind = pathname.split('/')[1] ?? ''
      calls.push(kind)
      const headers = { 'replay-nonce': nonceMade(), 'cache-control': 'no-store' }
      try {
        const wrong = faults.answer[kind]?.()
        const response = wrong ?? (await answer(request, kind, pathname))
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
        return response
      } catch (thrown) {
        const {
          type,
          message,
          status,
          headers: more,
        } = thrown instanceof Problem ? thrown : new Problem('serverInternal', String(thrown), 500)
        return Response.json(
          { type: `urn:ietf:params:acme:error:${type}`, detail: message, status },
          { status, headers: { ...headers, ...more, 'content-type': 'application/problem+json' } },
        )
      }
    },
  })
  const base = `https://localhost:${server.port}`

  function nonceMade(): string {
    const nonce = random()
    nonces.add(nonce)
    return nonce
  }

  /** Verifies a request (section 6.2 to 6.5). */
  async function readSigned(request: Request, mayHaveKey: boolean) {
    demand(request.method === 'POST', 'malformed', 'must be a POST', 405)
    demand(request.headers.get('content-type') === 'application/jose+json', 'malformed', 'type', 415)
    demand(request.headers.has('user-agent'), 'malformed', 'User-Agent is missing')
    const jws = await request.json()
    const head = decode(jws.protected)
    demand(head.alg === 'ES256', 'badSignatureAlgorithm', 'must be ES256')
    demand(nonces.delete(head.nonce) && faults.badNonces-- <= 0, 'badNonce', 'not a fresh nonce')
    demand(head.url === request.url, 'unauthorized', 'another URL was signed', 401)
    demand((head.jwk === undefined) !== (head.kid === undefined), 'malformed', 'jwk or kid')
    demand((head.jwk !== undefined) === mayHaveKey, 'malformed', 'wrong kind of key')
    const account = head.kid === undefined ? null : accounts.get(head.kid)
    if (account === undefined) throw new Problem('accountDoesNotExist', 'no such account', 401)
    const key = account?.key ?? createPublicKey({ key: head.jwk, format: 'jwk' })
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`)
    const signature = Buffer.from(jws.signature, 'base64url')
    const isRight = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
    demand(isRight, 'malformed', 'the signature is wrong')
    return {
      account,
      key,
      jwk: head.jwk as Jwk,
      payload: jws.payload === '' ? null : decode(jws.payload),
    }
  }

  async function signIn(request: Request): Promise<Response> {
    const { jwk, key, payload } = await readSigned(request, true)
    const thumbprint = thumbprintOf(jwk)
    const known = [...accounts.values()].find(account => account.thumbprint === thumbprint)
    if (!known && payload.termsOfServiceAgreed !== true) throw new Problem('userActionRequired', 'terms', 403)
    const account = known ?? {
      url: `${base}/account/${accounts.size + 1}`,
      key,
      thumbprint,
      contact: payload.contact,
    }
    accounts.set(account.url, account)
    return Response.json(
      { status: 'valid' },
      { status: known ? 200 : 201, headers: { location: account.url } },
    )
  }

  async function readAs(request: Request) {
    const { account, payload } = await readSigned(request, false)
    return { account: account!, payload }
  }

  const orderJson = (id: string, { names, authorizations: list, status, pem, replaces }: Order) => ({
    status,
    identifiers: names.map(value => ({ type: 'dns', value })),
    authorizations: list.map(one => `${base}/authorization/${one}`),
    finalize: `${base}/finalize/${id}`,
    ...(replaces && { replaces }),
    ...(pem && { certificate: `${base}/certificate/${id}` }),
    ...(status === 'invalid' && {
      error: { type: 'urn:ietf:params:acme:error:serverInternal', detail: 'broken' },
    }),
  })

  async function newOrder(request: Request): Promise<Response> {
    const { account, payload } = await readAs(request)
    if (faults.rateLimited !== null) {
      const headers = { 'retry-after': String(faults.rateLimited) }
      throw new Problem('rateLimited', 'too many certificates already issued', 429, headers)
    }
    const replaces: string | null = payload.replaces ?? null
    if (
      replaces !== null &&
      [...orders.values()].some(order => order.replaces === replaces && order.status === 'valid')
    ) {
      throw new Problem('alreadyReplaced', 'it was replaced before', 409)
    }
    const names: string[] = payload.identifiers.map(({ value }: { value: string }) => value)
    const list = names.map(name => {
      const id = random()
      authorizations.set(id, { name, token: random(), status: 'pending' })
      return id
    })
    const id = random()
    const order: Order = { account, names, authorizations: list, status: 'pending', replaces }
    orders.set(id, order)
    return Response.json(orderJson(id, order), { status: 201, headers: { location: `${base}/order/${id}` } })
  }

  const authorizationJson = (id: string, { name, token, status, error }: Authorization) => ({
    identifier: { type: 'dns', value: name },
    status,
    challenges: [
      { type: 'tls-alpn-01', url: `${base}/nothing/${id}`, token, status: 'pending' },
      { type: 'http-01', url: `${base}/challenge/${id}`, token, status, ...(error && { error }) },
    ],
  })

  /** Fetches the challenge from the server of the name. */
  async function validate(authorization: Authorization, { thumbprint }: Account): Promise<void> {
    const { name, token } = authorization
    const problem = (type: string, detail: string) => ({ type: `urn:ietf:params:acme:error:${type}`, detail })
    const url = `http://127.0.0.1:${faults.challengePort}/.well-known/acme-challenge/${token}`
    const [status, text] = await fetch(url, { headers: { host: name }, redirect: 'manual' }).then(
      async response => [response.status, await response.text()] as const,
      () => [0, ''] as const,
    )
    const isRight = status === 200 && text.trim() === `${token}.${thumbprint}`
    authorization.status = isRight ? 'valid' : 'invalid'
    if (status === 0) authorization.error = problem('connection', `Fetching ${name}: Connection refused`)
    else if (!isRight)
      authorization.error = problem('unauthorized', `Invalid response from ${name}: ${status}`)
  }

  /** An order, with the results of its challenges. */
  function currentOrder(id: string): Order {
    const order = found(orders, id)
    const states = order.authorizations.map(one => authorizations.get(one)?.status)
    if (states.includes('invalid')) order.status = 'invalid'
    if (order.status === 'pending' && states.every(state => state === 'valid')) order.status = 'ready'
    return order
  }

  async function finalize(request: Request, id: string): Promise<Response> {
    const { payload } = await readAs(request)
    const order = currentOrder(id)
    if (order.status !== 'ready') throw new Problem('orderNotReady', 'not ready', 403)
    const notBefore = Math.floor(now() / 1000) * 1000 - 3600_000
    const notAfter = notBefore + lifetimeMs
    try {
      const csr = Buffer.from(payload.csr, 'base64url')
      const { pem, name } = authority.issue(csr, order.names, [notBefore, notAfter])
      order.pem = pem
      issued.set(name, { revoked: false, notBefore, notAfter })
    } catch (error) {
      throw new Problem('badCSR', String(error))
    }
    order.status = 'valid'
    return Response.json(orderJson(id, { ...order, status: 'processing' }), {
      headers: { 'retry-after': '1' },
    })
  }

  function found<T>(map: Map<string, T>, id: string): T {
    const value = map.get(id)
    if (value === undefined) throw new Problem('malformed', 'not found', 404)
    return value
  }

  function renewalInfo(name: string): Response {
    const { revoked, notBefore, notAfter } = found(issued, name)
    const third = notAfter - (notAfter - notBefore) / 3
    const { start, end } =
      faults.window ?? (revoked ? { start: 0, end: 1 } : { start: third - DAY_MS, end: third })
    const suggestedWindow = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
    return Response.json({ suggestedWindow }, { headers: { 'retry-after': '21600' } })
  }

  function directory(): Response {
    const urls = ['newNonce', 'newAccount', 'newOrder', 'renewalInfo'].map(name => [name, `${base}/${name}`])
    return Response.json(Object.fromEntries(urls))
  }

  const orderRead = (id: string) => Response.json(orderJson(id, currentOrder(id)))

  async function challenge(request: Request, id: string): Promise<Response> {
    const { account, payload } = await readAs(request)
    demand(payload !== null, 'malformed', 'a challenge is answered with an object')
    const authorization = found(authorizations, id)
    await validate(authorization, account)
    const { token } = authorization
    return Response.json(
      { type: 'http-01', url: request.url, token, status: 'processing' },
      { headers: { link: `<${base}/authorization/${id}>;rel="up"` } },
    )
  }

  const chain = (id: string): Response => {
    const headers = { 'content-type': 'application/pem-certificate-chain' }
    return new Response(`${found(orders, id).pem}${authority.rootPem}`, { headers })
  }

  type Answer = (request: Request, id: string) => Response | Promise<Response>
  const reading =
    (answer: (id: string) => Response): Answer =>
    async (request, id) => {
      await readAs(request)
      return answer(id)
    }

  const resources: Record<string, Answer> = {
    directory,
    newNonce: () => new Response(null),
    newAccount: signIn,
    newOrder,
    order: reading(orderRead),
    authorization: reading(id => Response.json(authorizationJson(id, found(authorizations, id)))),
    challenge,
    finalize,
    certificate: reading(chain),
    renewalInfo: (_request, id) => renewalInfo(id),
  }

  async function answer(request: Request, kind: string, pathname: string): Promise<Response> {
    const resource = resources[kind]
    if (!resource) throw new Problem('malformed', 'no such resource', 404)
    return resource(request, pathname.split('/')[2] ?? '')
  }

  return {
    url: `${base}/directory`,
    authority,
    faults,
    /** the kinds of requests so far */
    calls,
    accounts,
    orders,
    revokeAll() {
      for (const certificate of issued.values()) certificate.revoked = true
    },
    stop: () => server.stop(true),
  }
}
