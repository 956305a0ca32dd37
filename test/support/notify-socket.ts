import { dlopen, ptr } from 'bun:ffi'

// The socket that systemd opens for a unit with Type=notify.

const AF_UNIX = 1
const SOCK_DGRAM = 2
const MSG_DONTWAIT = 0x40

const open = () =>
  dlopen('libc.so.6', {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    recv: { args: ['i32', 'ptr', 'usize', 'i32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  }).symbols

/** Listens on the path. A path that begins with "@" is abstract. */
export function openNotifySocket(path: string) {
  const c = open()
  const socket = c.socket(AF_UNIX, SOCK_DGRAM, 0)
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(path.replace(/^@/, '\0'))])
  if (c.bind(socket, ptr(address), address.length) !== 0) throw new Error(`cannot listen on ${path}`)
  const bytes = Buffer.alloc(4096)
  const received: string[] = []
  return {
    path,
    /** All messages so far. */
    received(): string[] {
      for (;;) {
        const length = Number(c.recv(socket, ptr(bytes), bytes.length, MSG_DONTWAIT))
        if (length < 0) return received
        received.push(bytes.subarray(0, length).toString())
      }
    },
    close: () => c.close(socket),
  }
}
