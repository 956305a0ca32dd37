// A measured server, and requests to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Load } from './load.ts'
import type { Shop } from './shop.ts'

export interface Server extends Shop {
  pid: number
  url: string
  checkoutUrl: string
  stop(): Promise<void>
}

/** Starts a server in a directory, which prints its URL and the rest as JSON. */
export async function startServer(
  folder: string,
  command: string[],
  settings: Record<string, string> = {},
): Promise<Server> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { FLORIN_PORT: '0', FLORIN_LOG_LEVEL: 'info', FLORIN_PUBLIC_RATE_LIMIT: '0', ...settings },
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'log')),
  })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let output = ''
  while (!output.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    output += decoder.decode(value, { stream: true })
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { pid: child.pid, ...JSON.parse(output), stop }
}

const body = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  paymentMethodsKeys: ['crypto'],
  customer: { email: 'buyer@example.com' },
})

export const headersOf = ({ liveKey }: Shop) => ({ 'X-API-Key': liveKey, 'Content-Type': 'application/json' })

export const creation = (server: Server, shop: Shop = server): Load => ({
  url: `${server.url}/v1/orders`,
  method: 'POST',
  headers: headersOf(shop),
  body,
})

export const reading = (url: string, headers: Record<string, string> = {}): Load => ({
  url,
  method: 'GET',
  headers,
  body: null,
})

/** The encodings that browsers accept. */
export const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }

export async function createOrder(server: Server): Promise<string> {
  const { url, headers } = creation(server)
  const response = await fetch(url, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { orderUUID?: string; uuid?: string } }
  return data.orderUUID ?? data.uuid ?? ''
}

/** A page of an order whose buyer has opened an attempt, with its address and QR code. */
export async function openAttempt(server: Server): Promise<string> {
  const page = `${server.url}/pay/${await createOrder(server)}`
  const form = new URLSearchParams({ asset: 'ethereum/usdc' })
  const response = await fetch(`${page}/crypto`, { method: 'POST', body: form, redirect: 'manual' })
  if (response.status !== 303) throw new Error(`Opening an attempt was answered with ${response.status}`)
  return page
}

/** The page of the first of the demo's products. */
export async function productPage(server: Server): Promise<string> {
  const response = await fetch(`${server.url}/v1/products`, { headers: headersOf(server) })
  const { data } = (await response.json()) as { data: { items: { productUUID: string }[] } }
  return `${server.url}/checkout/${data.items[0]?.productUUID}`
}

/** The pages of open payments as browsers request them: each page, and its poll. */
export async function openPayments(server: Server, count: number): Promise<{ page: Load; poll: Load }> {
  const pages: string[] = []
  const polls: string[] = []
  while (pages.length < count) {
    const page = await openAttempt(server)
    const text = await (await fetch(page, { headers: { Accept: 'text/html' } })).text()
    const [, url = ''] = /hx-get="([^"]+)"/.exec(text) ?? []
    pages.push(new URL(page).pathname)
    polls.push(url.replaceAll('&amp;', '&'))
  }
  const of = (paths: string[], headers: Record<string, string>) => ({
    ...reading(server.url, headers),
    paths,
  })
  return { page: of(pages, {}), poll: of(polls, { 'HX-Request': 'true', Accept: 'text/html' }) }
}
