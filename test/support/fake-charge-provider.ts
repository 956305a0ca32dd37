import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { MethodTerms } from '../../src/domain/catalogue.ts'
import { fiatAssetId } from '../../src/domain/fiat.ts'
import { amountOf, minorOf } from '../../src/domain/money.ts'
import {
  type Charge,
  type ChargeRefund,
  type ChargeRequest,
  type FiatCharge,
  type Inbound,
  InvalidProof,
  type Provider,
  type ProviderAttempt,
  ProviderError,
  type ProviderPayment,
} from '../../src/providers/port.ts'

/**
 * A made-up card processor with its own HTTP API, and its adapter. It charges merchants' accounts, signs its
 * webhooks with a secret for each account, and pays refunds.
 */

const SIGNATURE = 'X-Fake-Signature'
const ID = 'fakecard'

interface Credentials {
  apiKey: string
  webhookSecret: string
}

interface FakePayment {
  id: string
  /** amount of the charge, in minor units */
  amount: number
  currency: string
}

interface FakeCharge {
  id: string
  status: 'open' | 'paid' | 'declined'
  amount: number
  currency: string
  method: string
  notifyUrl: string
  payments: FakePayment[]
}

interface FakeRefund {
  key: string
  chargeId: string
  payment: string
  amount: number
}

const methods: MethodTerms[] = [
  { key: 'testcard', name: 'Test Card', minimum: null, currencies: null },
  { key: 'testbank', name: 'Test Bank', minimum: { amount: '5.00', currency: 'EUR' }, currencies: ['EUR'] },
]

const signatureOf = (body: string | Uint8Array, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/** The processor: charges of merchants' accounts, refunds, and webhooks. */
export function startFakeCardProcessor() {
  const accounts = new Map<string, Credentials & { name: string }>()
  const charges = new Map<string, FakeCharge & { account: string; key: string }>()
  const refunds: FakeRefund[] = []
  const requests: string[] = []
  const wire = { isDown: false, refusesRefunds: false, repeatsItself: false }

  const open = (apiKey: string, body: FakeCharge & { key: string }): Response => {
    const known = [...charges.values()].find(({ key, account }) => key === body.key && account === apiKey)
    const [first] = wire.repeatsItself ? charges.keys() : []
    const id = first ?? known?.id ?? `ch_${randomBytes(8).toString('hex')}`
    if (!charges.has(id)) charges.set(id, { ...body, id, status: 'open', payments: [], account: apiKey })
    return Response.json({ id, url: `${url}/pay/${id}`, account: accounts.get(apiKey)!.name })
  }

  const refund = (charge: FakeCharge, body: FakeRefund): Response => {
    if (wire.refusesRefunds) return new Response('the account is empty', { status: 422 })
    if (!refunds.some(({ key }) => key === body.key)) refunds.push({ ...body, chargeId: charge.id })
    return Response.json({ refunded: body.amount }, { status: 201 })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      requests.push(`${request.method} ${pathname.replace(/ch_[0-9a-f]+/, ':id')}`)
      if (wire.isDown) return new Response('down', { status: 503 })
      if (pathname === '/methods') return Response.json(methods)
      const apiKey = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
      if (!accounts.has(apiKey)) return new Response('unknown key', { status: 401 })
      if (pathname === '/charges') return open(apiKey, await request.json())
      const [, id = '', action] = /^\/charges\/([^/]+)(\/refunds)?$/.exec(pathname) ?? []
      const charge = charges.get(id)
      if (charge?.account !== apiKey) return new Response('unknown charge', { status: 404 })
      return action ? refund(charge, await request.json()) : Response.json(charge)
    },
  })
  const url = `http://127.0.0.1:${server.port}`

  /** Makes a payment whose webhook is lost. */
  function pay(chargeId: string, amount?: number, currency?: string): FakePayment {
    const charge = charges.get(chargeId)!
    const id = `pay_${randomBytes(8).toString('hex')}`
    const payment = { id, amount: amount ?? charge.amount, currency: currency ?? charge.currency }
    charge.payments.push(payment)
    charge.status = 'paid'
    return payment
  }

  /** Sends a webhook about a charge, and returns the response. */
  async function notify(
    chargeId: string,
    change: { body?: object; secret?: string; headers?: object; space?: string } = {},
  ): Promise<{ status: number; text: string }> {
    const { id, status, payments, notifyUrl, account } = charges.get(chargeId)!
    const content = { type: 'charge.changed', charge: { id, status, payments }, ...change.body }
    const text = JSON.stringify(content, null, change.space)
    const signature = signatureOf(text, change.secret ?? accounts.get(account)!.webhookSecret)
    const headers = { 'content-type': 'application/json', [SIGNATURE]: signature, ...change.headers }
    const response = await fetch(notifyUrl, { method: 'POST', body: text, headers })
    return { status: response.status, text: await response.text() }
  }

  return {
    url,
    wire,
    requests,
    refunds,
    lastCharge: () => [...charges.values()].at(-1)!,
    openAccount(name: string) {
      const credentials = { apiKey: `key_${name}`, webhookSecret: `whs_${randomBytes(8).toString('hex')}` }
      accounts.set(credentials.apiKey, { ...credentials, name })
      return credentials
    },
    pay,
    notify,
    decline(chargeId: string) {
      charges.get(chargeId)!.status = 'declined'
    },
    stop: () => server.stop(true),
  }
}

export type FakeCardProcessor = ReturnType<typeof startFakeCardProcessor>

const credentialsOf = (credentials: unknown) => credentials as Credentials

async function call<T>(baseUrl: string, credentials: unknown, path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const headers = { authorization: `Bearer ${credentialsOf(credentials)?.apiKey}` }
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers }).catch(() => null)
  if (response?.ok) return (await response.json()) as T
  const kind = response && response.status < 500 ? 'refused' : 'unavailable'
  throw new ProviderError(kind, `the processor answered with HTTP ${response?.status ?? 0}`)
}

const charging = (baseUrl: string): FiatCharge => ({
  methods: () => call(baseUrl, null, '/methods'),
  credentialsError: credentials =>
    typeof credentialsOf(credentials).apiKey === 'string' ? null : 'must have an apiKey',
  async open({ attemptId, methodKey, amount, currency, credentials, callbackUrl }: ChargeRequest) {
    const { id, url, account } = await call<{ id: string; url: string; account: string }>(
      baseUrl,
      credentials,
      '/charges',
      {
        key: attemptId,
        method: methodKey,
        amount: Number(minorOf(amount, currency)),
        currency,
        notifyUrl: callbackUrl,
      },
    )
    return { url, reference: id, account } satisfies Charge
  },
  async refund({ refundId, attempt, paymentId, amount, currency }: ChargeRefund) {
    await call(baseUrl, attempt.credentials, `/charges/${attempt.reference}/refunds`, {
      key: refundId,
      payment: paymentId,
      amount: Number(minorOf(amount, currency)),
    })
    return { reference: `re_${refundId}`, kind: 'refund', status: 'succeeded', amount, currency, refundId }
  },
})

const paymentsOf = (
  { status, payments }: FakeCharge,
  { assetId }: ProviderAttempt,
  proof: ProviderPayment['proof'],
): ProviderPayment[] => {
  const declined = { status: 'failed', proof, txIn: null, txOut: null, assetId, amount: '0' } as const
  if (status === 'declined') return [{ ...declined, evidence: { proof, status } }]
  return payments.map(({ id, amount, currency }) => ({
    status: 'settled',
    proof,
    txIn: id,
    txOut: null,
    assetId: fiatAssetId(currency),
    amount: amountOf(BigInt(amount), currency),
    evidence: { proof, id, amount, currency },
  }))
}

const parse = (body: Uint8Array): { type: string; charge?: FakeCharge } => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new InvalidProof('the body is not JSON')
  }
}

function verify({ headers, body }: Inbound, { credentials }: ProviderAttempt): void {
  const expected = Buffer.from(signatureOf(body, credentialsOf(credentials).webhookSecret))
  const given = Buffer.from(headers.get(SIGNATURE) ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new InvalidProof('the signature is wrong')
  }
}

/** The adapter for the processor, like one of the product's own. */
export const fakeCardProvider = (baseUrl: string): Provider => ({
  id: ID,
  callbackMethod: 'POST',
  acknowledgement: 'received',
  charge: charging(baseUrl),
  identify(inbound) {
    const { charge } = parse(inbound.body)
    return charge ? { reference: charge.id } : null
  },
  async receive(inbound, attempt) {
    verify(inbound, attempt)
    return paymentsOf(parse(inbound.body).charge!, attempt, 'signature')
  },
  lookup: async attempt =>
    paymentsOf(
      await call<FakeCharge>(baseUrl, attempt.credentials, `/charges/${attempt.reference}`),
      attempt,
      'status_lookup',
    ),
})
