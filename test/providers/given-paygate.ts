import { generateKeyPairSync, sign } from 'node:crypto'
import { Elysia } from 'elysia'
import { makeApi } from '../../src/providers/paygate/api.ts'
import { convertToUsd } from '../../src/providers/paygate/convert-to-usd.ts'
import { type PayGate, type PayGateOptions, payGate } from '../../src/providers/paygate/paygate.ts'
import {
  type Inbound,
  InvalidProof,
  type PageRequest,
  type ProviderAttempt,
  ProviderError,
  type ProviderPayment,
} from '../../src/providers/port.ts'
import { gatewayStandIn } from '../../src/sandbox/paygate/paygate.ts'
import { openState, type State } from '../../src/sandbox/state.ts'

export const payout = '0x52908400098527886E0F7030069857D2E4169EE7'
export const feeWallet = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
export const timeoutMs = 2000

const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes))

let lastNumber = 0

/** A request, and the ID of the attempt in its callback URL. */
export interface GivenRequest extends PageRequest {
  attemptId: string
}

export const request = (change: Partial<GivenRequest> = {}): GivenRequest => ({
  attemptId: `attempt-${++lastNumber}`,
  methodKey: 'moonpay',
  amount: '25.00',
  currency: 'USD',
  email: 'ada+shop@example.com',
  payoutAddress: payout,
  feePercent: '0',
  callbackUrl: `https://shop.example/callback/gateway?attempt=${lastNumber}&secret=s3cr3t`,
  ...change,
})

export const options = (apiUrl: string, change: Partial<PayGateOptions> = {}): PayGateOptions => ({
  apiUrl,
  checkoutUrl: 'https://checkout.example',
  publicKeys: null,
  feeWallet: null,
  minimumShare: 850_000n,
  fetch,
  timeoutMs,
  ...change,
})

export interface FakeRequest {
  path: string
  query: URLSearchParams
  rawQuery: string
  headers: Headers
}

/** A server with the given answer, which records its requests. */
export function fakeServer(answer: (requests: FakeRequest) => Response | Promise<Response>) {
  const requests: FakeRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(asked) {
      const url = new URL(asked.url)
      const one = {
        path: url.pathname,
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers: asked.headers,
      }
      requests.push(one)
      return answer(one)
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return { url, requests, stop: () => server.stop(true), [Symbol.dispose]: () => void server.stop(true) }
}

/** Runs the work with a provider whose gateway always gives this answer. */
export async function withResponse<T>(
  text: string,
  work: (provider: PayGate) => Promise<T>,
  status = 200,
): Promise<T> {
  using server = fakeServer(() => new Response(text, { status, headers: { 'Content-Type': 'text/html' } }))
  return await work(payGate(options(server.url)))
}

/** The kind of a promise's failure, in one word. Also fails if a message contains a secret. */
export async function errorKind(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'none'
  } catch (error) {
    if (error instanceof InvalidProof) return 'invalid proof'
    if (!(error instanceof ProviderError)) throw error
    const said = `${error.message} ${error.stack} ${String(error.cause)}`
    return /s3cr3t|0x5290|ada%2B|ipn_token=|[?&]callback/.test(said) ? `leak: ${said}` : error.kind
  }
}

export function keyPair(bits = 2048) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text: string, digest = 'sha256') => sign(digest, Buffer.from(text), privateKey).toString('base64'),
  }
}

export const usdFor = (apiUrl: string, amount: string, currency: string): Promise<string> =>
  convertToUsd(makeApi(options(apiUrl)), amount, currency)

/** A callback in the form in which the server passes it on. */
export const inbound = (query: string, headers: Record<string, string> = {}): Inbound => ({
  method: 'GET',
  query,
  headers: new Headers(headers),
  body: new Uint8Array(),
})

interface Called {
  rawQuery: string
  signature: string | null
  status: number
  facts: ProviderPayment[]
}

/** The sandbox, a shop that receives its callbacks, and the provider between them. */
export function givenSandbox(state: State = openState(':memory:'), change: Partial<PayGateOptions> = {}) {
  const calls: Called[] = []
  const attempts = new Map<string, ProviderAttempt>()
  let isDown = false
  const standIn = gatewayStandIn({
    state,
    clock: () => 1_800_000_000_000,
    random,
    isDown: () => isDown,
    deliver: async (url, headers) => (await fetch(url, { headers })).status,
    pageOf: ({ title, body }) => `<!doctype html><title>${title}</title><main>${body}</main>`,
  })
  const server = new Elysia({ prefix: '/sandbox' })
    .use(standIn.routes)
    .listen({ port: 0, hostname: '127.0.0.1' })
  const base = `http://127.0.0.1:${server.server!.port}/sandbox/gateway`
  const provider = payGate(
    options(`${base}/api`, {
      checkoutUrl: `${base}/checkout`,
      publicKeys: async keyId => (keyId === 'v1' ? await standIn.publicKey() : null),
      ...change,
    }),
  )
  const shop = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(asked) {
      const url = new URL(asked.url)
      const rawQuery = asked.url.slice(asked.url.indexOf('?') + 1)
      const attempt = attempts.get(url.searchParams.get('attempt') ?? '')!
      const read = provider.receive({ ...inbound(rawQuery), headers: asked.headers }, attempt)
      const facts = await read.catch(() => null)
      const signature = asked.headers.get('X-PayGate-Signature')
      calls.push({ rawQuery, signature, status: facts ? 200 : 403, facts: facts ?? [] })
      return new Response(facts ? provider.acknowledgement : 'no', { status: facts ? 200 : 403 })
    },
  })
  const callbackUrl = (id: string): string =>
    `http://127.0.0.1:${shop.port}/callback/gateway?attempt=${id}&secret=s3cr3t`

  async function provisioned(change: Partial<GivenRequest> = {}) {
    const asked = request(change)
    asked.callbackUrl = change.callbackUrl ?? callbackUrl(asked.attemptId)
    const made = await provider.forwarding.openPage(asked)
    const { address, reference, assetId } = made
    const attempt = { callbackUrl: asked.callbackUrl, reference, address, assetId, credentials: null }
    attempts.set(asked.attemptId, attempt)
    return { ...made, asked, attempt }
  }

  return {
    base,
    provider,
    standIn,
    calls,
    attempts,
    callbackUrl,
    provisioned,
    setDown: (down: boolean) => {
      isDown = down
    },
    stop: async () => {
      await server.stop(true)
      await shop.stop(true)
    },
  }
}
