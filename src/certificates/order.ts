import { createPrivateKey, createPublicKey } from 'node:crypto'
import { base64url, newKey } from './account-key.ts'
import { covers, readCertificate } from './certificate.ts'
import type { AcmeClient, Reply } from './client.ts'
import { AcmeError, fieldsOf, malformed, problemError, textOf } from './fault.ts'
import type { Certificate } from './port.ts'
import { signingRequest } from './signing-request.ts'

/** Max reads while waiting for the CA, which needs seconds for a challenge, and a minute when it is busy. */
const POLLS_MAX = 40
const POLL_MS = 2000
const POLL_MAX_MS = 30_000
const TOKEN = /^[A-Za-z0-9_-]{16,512}$/

interface OrderOptions {
  names: readonly string[]
  /** renewal name of the certificate that the new one replaces; null if there is none */
  replaces: string | null
  /** Makes the server answer this challenge over HTTP from now on. */
  publish(token: string, answer: string): void
  now(): number
  sleep(ms: number): Promise<unknown>
}

type Fields = Reply['body']

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

const urlOf = (value: unknown, what: string): string => {
  if (!URL.canParse(textOf(value))) throw malformed(`${what} has no URL`)
  return textOf(value)
}

/** Reads a resource until its status is not in `passing`. Returns its last content. */
async function settled(
  client: AcmeClient,
  url: string,
  passing: readonly string[],
  { now, sleep }: OrderOptions,
): Promise<Fields> {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const { body, retryAt } = await client.post(url, null)
    if (!passing.includes(textOf(body.status))) return body
    const wait = retryAt === null ? POLL_MS : retryAt - now()
    await sleep(Math.min(Math.max(wait, POLL_MS / 2), POLL_MAX_MS))
  }
  throw new AcmeError('unreachable', 'it does not finish the order')
}

/** Proves to the CA that this server answers at a host name. */
async function authorize(client: AcmeClient, url: string, options: OrderOptions): Promise<void> {
  const { body } = await client.post(url, null)
  if (body.status === 'valid') return
  const name = textOf(fieldsOf(body.identifier).value)
  const challenge = listOf(body.challenges).find(({ type }) => type === 'http-01')
  if (!challenge) throw malformed(`it offers no HTTP challenge for ${name}`)
  const token = textOf(challenge.token)
  if (!TOKEN.test(token)) throw malformed('its challenge has no valid token')
  options.publish(token, `${token}.${client.thumbprint}`)
  await client.post(urlOf(challenge.url, 'its challenge'), {})
  const ended = await settled(client, url, ['pending', 'processing'], options)
  if (ended.status === 'valid') return
  const problem = listOf(ended.challenges).find(({ error }) => error !== undefined)?.error
  throw problemError(problem, { name })
}

/** Orders a certificate for host names, and returns it with its new key (RFC 8555, section 7.4). */
export async function orderCertificate(client: AcmeClient, options: OrderOptions): Promise<Certificate> {
  const { newOrder } = await client.directory()
  const identifiers = options.names.map(value => ({ type: 'dns', value }))
  const made = await placeOrder(client, newOrder, { identifiers }, options.replaces)
  const orderUrl = urlOf(made.location, 'its order')
  for (const authorization of Array.isArray(made.body.authorizations) ? made.body.authorizations : []) {
    await authorize(client, urlOf(authorization, 'its authorization'), options)
  }
  const ready = await settled(client, orderUrl, ['pending', 'processing'], options)
  if (ready.status !== 'ready') throw problemError(ready.error)
  const pem = newKey()
  const privateKey = createPrivateKey(pem)
  const request = signingRequest(options.names, { privateKey, publicKey: createPublicKey(privateKey) })
  await client.post(urlOf(ready.finalize, 'its order'), { csr: base64url(request) })
  const issued = await settled(client, orderUrl, ['ready', 'processing'], options)
  if (issued.status !== 'valid') throw problemError(issued.error)
  const { text } = await client.post(urlOf(issued.certificate, 'its certificate'), null)
  return checked(pem, text, options)
}

/** Places an order. If the CA refuses it as a replacement of a certificate, places it again without that. */
async function placeOrder(client: AcmeClient, url: string, order: object, replaces: string | null) {
  if (replaces === null) return client.post(url, order)
  try {
    return await client.post(url, { ...order, replaces })
  } catch (error) {
    if (!(error instanceof AcmeError) || !['refused', 'unauthorized'].includes(error.kind)) throw error
    return client.post(url, order)
  }
}

/**
 * Returns the new certificate. Throws an AcmeError if browsers would refuse it: it must not replace a
 * certificate that works.
 */
function checked(key: string, chain: string, { names, now }: OrderOptions): Certificate {
  let certificate: Certificate
  try {
    certificate = readCertificate(key, chain)
  } catch (error) {
    throw malformed(`its certificate cannot be used: ${(error as Error).message}`)
  }
  if (!covers(certificate, names)) throw malformed('its certificate lacks a name')
  if (certificate.notAfter <= now()) throw malformed('its certificate has already expired')
  return certificate
}
