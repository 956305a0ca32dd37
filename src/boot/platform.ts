import { randomBytes } from 'node:crypto'
import type { CertificateState } from '../certificates/port.ts'
import type { Log } from '../domain/log.ts'
import type { Fetch } from '../networks/port.ts'
import type { Send, StartTimer } from '../outbound/client.ts'
import { type Lookup, systemLookup } from '../outbound/dns.ts'
import type { Channel } from '../outbound/port.ts'
import type { Environment } from '../settings/read.ts'
import type { Connections } from '../storage/index.ts'
import { boundedFetch } from './fetch.ts'
import type { Serve } from './listen.ts'
import type { Meter } from './metrics/meter.ts'
import type { RunOwn } from './own-commands.ts'
import type { PasswordCost } from './passwords.ts'
import { stderr } from './stderr.ts'

/** Network, clock, randomness and log of the machine. Tests replace them. */
export interface Platform {
  fetch: Fetch
  lookup: Lookup
  /** milliseconds since 1970 UTC */
  now(): number
  random(bytes: number): Uint8Array
  log: Log
  /** number of lost log lines if the last line could not be written; null if it could */
  lostLogLines?(): number | null
  /** free space of a folder's disk; replaces the system's answer */
  freeBytes?(folder: string): Promise<number>
  /** CA certificates for webhooks, instead of the system's */
  ca?: string
  /** true for demo data, which need no backups: there are no warnings about missing ones */
  isForShow?: boolean
  /** sends mail if no mail server is configured */
  mail?: Channel
  /** listens on a port; replaces Bun.serve */
  serve?: Serve
  /** milliseconds after which a request is refused if it has no answer yet */
  answerMs?: number
  /** runs the timers of requests to merchants' servers; replaces setTimeout */
  startTimer?: StartTimer
  /** sends webhooks and messages to channels; replaces sockets */
  send?: Send
  /** sends requests to URLs that people enter, such as those of nodes; replaces sockets and their guard */
  reach?: Fetch
  /** makes the UUIDs of rows; replaces Bun's random ones, so that a simulation can be repeated */
  uuid?(now: number): string
  /** numbers of connections to a database server; replaces the usual ones */
  connections?: Connections
  /** replaces the recommended cost of a password hash */
  passwordCost?: PasswordCost
  /** throws inside a storage read or write, where network calls are forbidden */
  assertOutside?(action: string): void
  /** the server's own certificate, if it has HTTPS without a proxy */
  certificate?(): CertificateState
  /** environment with which the server was started, for commands of this program; missing for the demo */
  environment?: Environment
  /** runs commands of this program; replaces processes */
  runOwn?: RunOwn
  /** the metrics as Prometheus reads them, if they are served */
  metrics?(): Promise<string>
  /** counts for the metrics, if they are served */
  meter?: Meter
}

export const realPlatform = (log: Log): Platform => ({
  fetch: boundedFetch,
  lookup: systemLookup,
  now: Date.now,
  random: bytes => new Uint8Array(randomBytes(bytes)),
  log,
  lostLogLines: () => stderr.lost,
})

/** The server's clock: the system clock plus an offset that the sandbox can advance. */
export interface Clock {
  now(): number
  advance(ms: number): void
}

export function makeClock(now: () => number, offset: { load(): number; save(ms: number): void }): Clock {
  let offsetMs = offset.load()
  return {
    now: () => now() + offsetMs,
    advance(ms) {
      offsetMs += ms
      offset.save(offsetMs)
    },
  }
}

/** The `fetch` for a chain, a rate source or a provider, counted in the metrics. */
export const fetchOf = ({ fetch, meter }: Platform, upstream: string): Fetch =>
  meter ? meter.lookups(upstream, fetch) : fetch
