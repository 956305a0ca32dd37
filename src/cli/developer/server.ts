import type { Operations } from '../../../clients/typescript/api.ts'
import { boundedFetch } from '../../boot/fetch.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Cli, command } from '../cli.ts'
import { readKey } from '../wallet/prompts.ts'
import { reasonOf } from './reason.ts'

const TIMEOUT_MS = 30_000

/**
 * Calls an operation, and returns its data. Throws the server's message if the server refuses. The client in
 * clients/ cannot be imported here, because the executable contains its file as text.
 */
type Call = <N extends keyof Operations>(
  name: N,
  method: 'GET' | 'POST',
  path: string,
  body?: Operations[N]['body'],
) => Promise<Operations[N]['data']>

/** A running server, and the API key of the shop that a developer works for. */
export interface ShopServer {
  url: string
  apiKey: string
  call: Call
}

export interface ServerOptions {
  server?: string
}

export const developerCommand = (name: string, description: string, json?: string) =>
  command(name, description, json).option(
    '--server <url>',
    'URL of the server (default: the one that the settings name). The API key is read from ' +
      'FLORIN_API_KEY, or from standard input',
  )

const callerOf =
  (url: string, apiKey: string): Call =>
  async (name, method, path, body) => {
    const key = method === 'POST' && { 'idempotency-key': crypto.randomUUID() }
    const response = await boundedFetch(url + path, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...key },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(error => {
      throw new Refusal('conflict', `${url} cannot be reached: ${reasonOf(error)}`)
    })
    const answer = await response.json().catch(() => null)
    if (answer?.success === true) return answer.data
    const message = answer?.error?.message ?? `the server answered with status ${response.status}`
    throw new Refusal('conflict', `${name}: ${message}`)
  }

const isLocal = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

/** The server and key that a developer's command uses. Throws an error if one is missing or malformed. */
export async function serverOf(cli: Cli, { server }: ServerOptions): Promise<ShopServer> {
  const { checkoutUrl, host, port } = cli.settings()
  const url = (server ?? (checkoutUrl || `http://${host}:${port}`)).replace(/\/+$/, '')
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && isLocal(parsed.hostname))) {
    const message = `${url} must begin with https://. Only localhost may use http://.`
    throw new Refusal('validation_error', message)
  }
  const apiKey = cli.environment.FLORIN_API_KEY ?? (await readKey(undefined, ['API key']))[0] ?? ''
  return { url, apiKey, call: callerOf(url, apiKey) }
}
