import type { Environment } from '../settings/read.ts'

/*
 * The protocol of sd_notify(3) for a unit with Type=notify and WatchdogSec: datagrams to the socket that
 * NOTIFY_SOCKET names. Bun has no datagrams of Unix sockets, so they are sent by the C library, which is
 * loaded only if there is such a socket.
 */

const LIBRARY = 'libc.so.6'
const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
const MSG_DONTWAIT = 0x40
const MSG_NOSIGNAL = 0x4000

type Send = (message: string) => void

/** A socket's address in C: the family, then the path. A path that begins with "@" is abstract. */
const addressOf = (path: string): Buffer =>
  Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), Buffer.from(path.replace(/^@/, '\0'))])

/** Returns a function that sends to the socket. Throws if the C library cannot be loaded. */
function senderTo(path: string): Send {
  const { dlopen, ptr }: typeof import('bun:ffi') = require('bun:ffi')
  const { symbols } = dlopen(LIBRARY, {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'usize', 'i32', 'ptr', 'u32'], returns: 'i64' },
  })
  const socket = symbols.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  const address = addressOf(path)
  return message => {
    const bytes = Buffer.from(message)
    symbols.sendto(
      socket,
      ptr(bytes),
      bytes.length,
      MSG_DONTWAIT | MSG_NOSIGNAL,
      ptr(address),
      address.length,
    )
  }
}

/** Time between two signs of life; null if the unit has no WatchdogSec. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): number | null {
  if (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid) return null
  const ms = Number(WATCHDOG_USEC) / 1000 / 2
  return ms > 0 ? ms : null
}

/** Reports the state of a server to systemd. Does nothing without systemd. */
export interface Systemd {
  /** Reports that the server answers. From now on, the event loop reports regularly that it runs. */
  ready(): void
  /** Reports that the server was asked to stop. The regular reports go on until the process ends. */
  stopping(): void
}

/** Throws if systemd waits for reports, but cannot be reached: the unit would never become active. */
export function systemdOf(environment: Environment): Systemd {
  const path = environment.NOTIFY_SOCKET ?? ''
  if (!/^[/@]/.test(path)) return { ready() {}, stopping() {} }
  const send = senderTo(path)
  const everyMs = watchdogMs(environment)
  return {
    ready() {
      send('READY=1')
      if (everyMs !== null) setInterval(() => send('WATCHDOG=1'), everyMs).unref()
    },
    stopping: () => send('STOPPING=1'),
  }
}
