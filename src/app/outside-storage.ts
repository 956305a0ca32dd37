import { makeOutbound } from '../outbound/outbound.ts'
import type { Outbound } from '../outbound/port.ts'
import type { Settings } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'
import { version } from '../version.ts'
import type { Machine } from './machine.ts'

type Guard = Pick<Storage, 'assertOutside'>

/**
 * A machine whose network calls throw inside a storage read or write: the single writer, and so every other
 * request, would wait for them.
 */
export const machineOutside = (storage: Guard, machine: Machine): Machine => ({
  ...machine,
  async fetch(url, init) {
    storage.assertOutside('A network call')
    return machine.fetch(url, init)
  },
  async lookup(host) {
    storage.assertOutside('A name look-up')
    return machine.lookup(host)
  },
})

/** Requests to merchants' servers, which open sockets of their own, with the same guard. */
export function outboundOf(settings: Settings, machine: Machine, storage: Guard): Outbound {
  const outbound = makeOutbound({
    allow: settings.outboundAllow,
    lookup: machine.lookup,
    userAgent: `Florin/${version}`,
    now: () => performance.now(),
    ...(machine.ca && { ca: machine.ca }),
  })
  return {
    async check(url, at, resolve) {
      storage.assertOutside('A check of a URL')
      return outbound.check(url, at, resolve)
    },
    async post(url, headers, body) {
      storage.assertOutside('An outbound request')
      return outbound.post(url, headers, body)
    },
  }
}
