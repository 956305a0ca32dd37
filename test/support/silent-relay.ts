import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A host and a port, or the path of a Unix socket. */
type Server = { host: string; port: number } | { path: string }

/**
 * A relay to a server, which can fall silent like a network that is cut: it then neither answers nor closes
 * connections. When it works again, everything sent meanwhile arrives.
 */
export async function startRelay(server: Server) {
  const sockets = new Set<Socket>()
  let isSilent = false
  const add = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket)
    if (isSilent) socket.pause()
    socket.on('error', () => socket.destroy())
    socket.on('data', bytes => void other().write(bytes))
    socket.on('close', () => {
      sockets.delete(socket)
      if (!isSilent) other().destroy()
    })
  }
  const relay = createServer(client => {
    const behind = connect(server)
    add(client, () => behind)
    add(behind, () => client)
  })
  await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
  return {
    port: (relay.address() as AddressInfo).port,
    setSilent(next: boolean): void {
      isSilent = next
      for (const socket of sockets) {
        if (isSilent) socket.pause()
        else socket.resume()
      }
    },
    stop(): void {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
