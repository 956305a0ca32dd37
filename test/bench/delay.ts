import { connect, createServer, type Socket } from 'node:net'

/** A port that forwards to another one and delays the bytes in both directions. */
export function startDelay(host: string, port: number, ms: number): { port: number; stop(): void } {
  const sockets = new Set<Socket>()
  function pass(from: Socket, to: Socket): void {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', part => setTimeout(() => to.write(part), ms))
    from.on('close', () => setTimeout(() => to.destroy(), ms))
    from.on('error', () => {})
  }
  const server = createServer(near => {
    const far = connect(port, host)
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as { port: number }).port, stop }
}
