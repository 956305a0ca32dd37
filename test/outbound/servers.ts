import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { makeOutbound, type OutboundOptions } from '../../src/outbound/client.ts'

const DAY_MS = 24 * 3600_000

const der = (tag: number, ...parts: (Uint8Array | string)[]): Buffer => {
  const content = Buffer.concat(parts.map(part => Buffer.from(part as string, 'latin1')))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const time = (instant: number): Buffer =>
  der(0x18, new Date(instant).toISOString().replace(/[-:T]|[.][0-9]+/g, ''))

/** A self-signed certificate for one name. It is generated, so that no key is ever committed. */
export function certify(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, name))))
  const names = sequence(oid('551d11'), der(0x04, sequence(der(0x82, name))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  )
  const signature = sign('sha256', content, privateKey)
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(whole).toString(),
  }
}

export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

interface WebServer {
  received: Received[]
  /** the ports of its connections */
  peers: Set<number>
  port: number
  close(): Promise<void>
}

/** A web server that records its requests. */
export function receive(
  answer: (request: Request) => Response | Promise<Response> = () => new Response('ok'),
  tls?: { key: string; cert: string },
): WebServer {
  const received: Received[] = []
  const peers = new Set<number>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    ...(tls ? { tls } : {}),
    async fetch(request, self) {
      const peer = self.requestIP(request)
      if (peer) peers.add(peer.port)
      received.push({
        method: request.method,
        path: new URL(request.url).pathname + new URL(request.url).search,
        headers: Object.fromEntries(request.headers),
        body: Buffer.from(await request.arrayBuffer()),
      })
      return answer(request)
    },
  })
  return { received, peers, port: server.port!, close: () => server.stop(true) }
}

/** A socket that answers the head of a request with any bytes, and counts its connections. */
export async function speak(say: (socket: Socket) => void, hostname = '127.0.0.1', port = 0) {
  const seen = { connections: 0, open: 0 }
  const server = createServer(socket => {
    let received = ''
    seen.connections += 1
    seen.open += 1
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.open -= 1
    })
    socket.on('data', bytes => {
      const hadHead = received.includes('\r\n\r\n')
      received += bytes.toString('latin1')
      if (!hadHead && received.includes('\r\n\r\n')) say(socket)
    })
  })
  await new Promise<void>(resolve => server.listen(port, hostname, resolve))
  return { seen, port: (server.address() as { port: number }).port, close: () => server.close() }
}

export const NAME = 'shop.example'

/** An outbound client for which shop.example is this machine, on the given ports only. */
export function outboundTo(ports: number[], options: Partial<OutboundOptions> = {}) {
  return makeOutbound({
    allow: ports.map(port => ({ host: NAME, port })),
    lookup: async () => [{ address: '127.0.0.1' }],
    userAgent: 'Florin/1.2.3',
    now: () => performance.now(),
    ...options,
  })
}

/** Waits for a condition; fails after 15 seconds. */
export async function until(isMet: () => boolean): Promise<void> {
  for (let left = 1500; !isMet(); left--) {
    if (left === 0) throw new Error('the condition was not met in time')
    await Bun.sleep(10)
  }
}
