import { LIGHTNING } from '../domain/lightning.ts'
import type { Log } from '../domain/log.ts'
import type { AllowedHost, OutboundPurpose } from '../domain/outbound-purpose.ts'
import type { Fetch, WebSocketOpener } from '../networks/port.ts'
import { makeOutbound } from '../outbound/client.ts'
import type { Outbound, OutboundClients } from '../outbound/port.ts'
import type { Settings } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'
import { version } from '../version.ts'
import type { Platform } from './platform.ts'
import { ownReceiver } from './sandbox.ts'

type Guard = Pick<Storage, 'assertOutside'>

/**
 * A platform whose network calls throw inside a storage read or write: there is only one writer, so every
 * other write would have to wait for the network.
 */
export const outsideStorage = (storage: Guard, platform: Platform): Platform => ({
  ...platform,
  assertOutside: action => storage.assertOutside(action),
  fetch: loggedFetch(platform.log, async (url, init) => {
    storage.assertOutside('A network call')
    return platform.fetch(url, init)
  }),
  async lookup(host) {
    storage.assertOutside('A DNS lookup')
    return platform.lookup(host)
  },
})

/** Logs each request by its host only: URLs may contain a key. */
const loggedFetch =
  (logger: Log, fetch: Fetch): Fetch =>
  async (url, init) => {
    const startedAt = performance.now()
    const about = { method: init?.method ?? 'GET', host: new URL(url).host }
    const log = (fields: object) => {
      const ms = Math.round(performance.now() - startedAt)
      logger.debug({ ...about, ...fields, ms }, 'upstream.asked')
    }
    try {
      const response = await fetch(url, init)
      log({ status: response.status })
      return response
    } catch (error) {
      log({ reason: (error as Error).message })
      throw error
    }
  }

type MakeGuardedFetch = typeof import('../outbound/fetch.ts').makeGuardedFetch

/**
 * A `fetch` for URLs that people enter. It reaches only those private hosts that are allowed for the purpose,
 * unless the platform has a `reach` of its own, which a simulation uses.
 */
export function guardedFetch(
  { outboundAllow }: Settings,
  { log, lookup, ca, reach, assertOutside = () => {} }: Platform,
  purpose: OutboundPurpose,
): Fetch {
  if (reach) return loggedFetch(log, reach)
  const makeGuardedFetch: MakeGuardedFetch = require('../outbound/fetch.ts').makeGuardedFetch
  const allow = outboundAllow.filter(({ purposes }) => purposes.includes(purpose))
  return loggedFetch(log, makeGuardedFetch({ allow, lookup, ca, assertOutside }))
}

type MakeWebSockets = typeof import('../outbound/web-socket.ts').makeWebSockets

/** Opens connections to URLs that people enter, with the same guard as `guardedFetch`. */
export function guardedSockets(
  { outboundAllow }: Settings,
  { lookup, ca, assertOutside = () => {} }: Platform,
  purpose: OutboundPurpose,
): WebSocketOpener {
  const allow = outboundAllow.filter(({ purposes }) => purposes.includes(purpose))
  return (url, signal) => {
    const makeWebSockets: MakeWebSockets = require('../outbound/web-socket.ts').makeWebSockets
    return makeWebSockets({ allow, lookup, ca, assertOutside })(url, signal)
  }
}

/**
 * The clients for requests to servers of merchants and people, each with the private hosts that are allowed
 * for its purpose. They open their own sockets, so they need the same guard.
 */
export function outboundOf(
  settings: Settings,
  platform: Platform,
  storage: Guard,
  ownUrl: string,
): OutboundClients {
  const allowed = [...settings.outboundAllow, ...ownReceiver(settings, ownUrl)]
  const clientOf = (purpose: OutboundPurpose) =>
    guarded(
      platform,
      storage,
      allowed.filter(({ purposes }) => purposes.includes(purpose)),
    )
  return {
    endpoint: clientOf('endpoint'),
    webhook: clientOf('webhook'),
    channel: clientOf('channel'),
    lightning: clientOf(LIGHTNING),
  }
}

function guarded(platform: Platform, storage: Guard, allow: readonly AllowedHost[]): Outbound {
  const outbound = makeOutbound({
    allow,
    lookup: platform.lookup,
    userAgent: `Florin/${version}`,
    now: () => performance.now(),
    ...(platform.ca && { ca: platform.ca }),
    ...(platform.startTimer && { startTimer: platform.startTimer }),
    ...(platform.send && { send: platform.send }),
  })
  return {
    async check(url, at, resolve) {
      storage.assertOutside('A URL check')
      return outbound.check(url, at, resolve)
    },
    checkImage: outbound.checkImage,
    async post(url, headers, body) {
      storage.assertOutside('An outbound request')
      return outbound.post(url, headers, body)
    },
  }
}
