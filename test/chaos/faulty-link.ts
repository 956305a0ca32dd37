import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The ways in which the link between a server and its database can fail. */
export const linkFaults = ['cut', 'silent', 'slow', 'deafServer', 'deafDatabase', 'lostCommit'] as const
export type LinkFault = (typeof linkFaults)[number]

const SLOW_MAX_MS = 400
/**
 * Found in the message that ends a transaction. After it, the link passes nothing back to the server, so the
 * answer is lost.
 */
const COMMIT = /COMMIT/
/** The time until the link is cut after a commit, long enough for PostgreSQL to store the commit. */
const COMMIT_MS = 150

export interface Link {
  port: number
  /** Sets a fault of the link, which also applies to new connections; null repairs the link. */
  setFault(fault: LinkFault | null): void
  stop(): void
}

interface Pair {
  client: Socket
  behind: Socket
  isDoomed: boolean
}

/** Starts a link that can be broken. On a slow link, each part waits for the time that `pause` returns. */
export async function startLink(to: number, pause: (maxMs: number) => number): Promise<Link> {
  const pairs = new Set<Pair>()
  let fault: LinkFault | null = null
  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.behind.destroy()
  }
  const isHeld = (isFromClient: boolean): boolean =>
    fault === 'silent' || fault === (isFromClient ? 'deafDatabase' : 'deafServer')

  /** Forwards bytes in their order, and late if the link is slow. Bytes that are held back arrive later. */
  function pass(pair: Pair, from: Socket, to: Socket, isFromClient: boolean): void {
    let before = Promise.resolve()
    from.on('data', bytes => {
      if (isFromClient && fault === 'lostCommit' && COMMIT.test(bytes.toString('latin1'))) {
        pair.isDoomed = true
        setTimeout(end, COMMIT_MS, pair)
      }
      if (pair.isDoomed && !isFromClient) return
      const waitMs = fault === 'slow' ? pause(SLOW_MAX_MS) : 0
      before = before.then(async () => {
        if (waitMs > 0) await Bun.sleep(waitMs)
        while (isHeld(isFromClient) && pairs.has(pair)) await Bun.sleep(20)
        if (!to.destroyed) to.write(bytes)
      })
    })
    from.on('error', () => end(pair))
    from.on('close', () => void before.then(() => end(pair)))
  }

  const server = createServer(client => {
    if (fault === 'cut') return void client.destroy()
    const pair = { client, behind: connect({ host: '127.0.0.1', port: to }), isDoomed: false }
    pairs.add(pair)
    pass(pair, client, pair.behind, true)
    pass(pair, pair.behind, client, false)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    setFault(next) {
      fault = next
      if (fault === 'cut') for (const pair of pairs) end(pair)
    },
    stop() {
      server.close()
      for (const pair of pairs) end(pair)
    },
  }
}
