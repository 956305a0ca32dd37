import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, type Serve } from '../../../src/boot/listen.ts'
import { makeLog } from '../../../src/boot/log.ts'
import { realPlatform } from '../../../src/boot/platform.ts'
import { startServer } from '../../../src/boot/serve.ts'
import type { Lookup } from '../../../src/outbound/dns.ts'
import { readSettings, SettingsError } from '../../../src/settings/read.ts'

const resolves: Lookup = async () => [{ address: '203.0.113.7' }]
const findsNothing: Lookup = async () => []
const fails =
  (code: string): Lookup =>
  async host => {
    throw Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code })
  }

const throwing =
  (error: unknown): Serve =>
  () => {
    throw error
  }
const errorOf = (code: string, message = `listen ${code}`) => Object.assign(new Error(message), { code })

interface Place {
  hostname?: string
  port?: number
  lookup?: Lookup
}

/** The message for the operator when the runtime throws this error on listening. */
async function sentenceFor(
  error: unknown,
  { hostname = '0.0.0.0', port = 80, lookup = resolves }: Place = {},
) {
  const options = { hostname, port, fetch: () => new Response() }
  const failure = await listen(options, { lookup, serve: throwing(error) }).catch(thrown => thrown)
  expect(failure).toBeInstanceOf(SettingsError)
  return failure.message
}

const IN_USE = 'the port is already in use. Set FLORIN_PORT to another port.'
const DENIED = 'permission denied. Choose a port above 1023 or give the program permission.'
const NOT_HERE = 'this machine does not have that address. Set FLORIN_HOST to an address of this machine.'
const UNRESOLVED = 'the host name cannot be resolved. Set FLORIN_HOST to an address of this machine.'
const CHECK = 'Check FLORIN_HOST and FLORIN_PORT.'

describe('an error on listening becomes a sentence with the host and the port', () => {
  test.each([
    ['EADDRINUSE', IN_USE],
    ['EACCES', DENIED],
    ['EPERM', DENIED],
    ['EADDRNOTAVAIL', NOT_HERE],
    ['EINVAL', `the address is not valid. ${CHECK}`],
    ['ENOTFOUND', UNRESOLVED],
    ['EAI_AGAIN', UNRESOLVED],
    ['EAFNOSUPPORT', `this machine does not support that kind of address. ${CHECK}`],
    ['EMFILE', 'too many files are open. Raise the limit on open files.'],
  ])('%s', async (code, reason) => {
    expect(await sentenceFor(errorOf(code))).toBe(`Cannot listen on 0.0.0.0:80: ${reason}`)
  })

  test.each<[name: string, error: unknown, reason: string]>([
    ['Failed to start server', new Error('Failed to start server. Is port 80 in use?'), IN_USE],
    ['Failed to listen', new Error('Failed to listen at 0.0.0.0'), `Failed to listen at 0.0.0.0. ${CHECK}`],
    ['an unknown code', errorOf('EWHATEVER', 'listen EWHATEVER'), `listen EWHATEVER. ${CHECK}`],
    ['several lines', new Error('it broke\n    at somewhere'), `it broke. ${CHECK}`],
    ['no message', new Error(''), `the system gave no reason. ${CHECK}`],
    ['no error at all', 'text', `the system gave no reason. ${CHECK}`],
  ])('without a known code: %s', async (_name, error, reason) => {
    expect(await sentenceFor(error)).toBe(`Cannot listen on 0.0.0.0:80: ${reason}`)
  })

  test.each(['::1', '[::1]'])('the IPv6 address %s is written in brackets', async hostname => {
    const place = { hostname, lookup: findsNothing }
    expect(await sentenceFor(errorOf('EADDRINUSE'), place)).toBe(`Cannot listen on [::1]:80: ${IN_USE}`)
  })

  test('a free port cannot be in use, so the error names the address', async () => {
    for (const error of [errorOf('EADDRINUSE'), new Error('Failed to start server. Is port 0 in use?')]) {
      expect(await sentenceFor(error, { hostname: '203.0.113.7', port: 0 })).toBe(
        `Cannot listen on 203.0.113.7:0: ${NOT_HERE}`,
      )
    }
  })
})

describe('a host name that does not resolve is named as the cause, whatever the error code', () => {
  const codes = ['EINVAL', 'EADDRINUSE', 'EADDRNOTAVAIL', 'ENOTCONN', 'ENOTFOUND', 'EAI_AGAIN', 'EACCES']
  const lookups: [string, Lookup][] = [
    ['finds nothing', findsNothing],
    ['answers ENOTFOUND', fails('ENOTFOUND')],
    ['answers EAI_AGAIN', fails('EAI_AGAIN')],
  ]

  test.each(lookups)('the resolver %s', async (_name, lookup) => {
    for (const code of codes) {
      const place = { hostname: 'no-such-host.invalid', port: 3000, lookup }
      expect(await sentenceFor(errorOf(code), place)).toBe(
        `Cannot listen on no-such-host.invalid:3000: ${UNRESOLVED}`,
      )
    }
  })

  test('a name that resolves keeps the reason that the system gave', async () => {
    expect(await sentenceFor(errorOf('EADDRINUSE'), { hostname: 'shop.internal' })).toBe(
      `Cannot listen on shop.internal:80: ${IN_USE}`,
    )
  })

  test('an IP address is never looked up as a name', async () => {
    const lookup: Lookup = () => {
      throw new Error('an address was looked up')
    }
    expect(await sentenceFor(errorOf('EADDRINUSE'), { hostname: '127.0.0.1', lookup })).toContain(IN_USE)
  })
})

test('the server that cannot listen prints an error, and leaves no database behind', async () => {
  const dataDir = join(tmpdir(), `florin-listen-${crypto.randomUUID()}`)
  const settings = readSettings({ FLORIN_DATA_DIR: dataDir, FLORIN_PORT: '80' })
  const platform = { ...realPlatform(makeLog('silent')), serve: throwing(errorOf('EACCES')) }
  await expect(startServer(settings, platform)).rejects.toThrow(`Cannot listen on 127.0.0.1:80: ${DENIED}`)
  expect(existsSync(dataDir)).toBe(false)
})

test('a server that listens is returned unchanged', async () => {
  const options = { hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') }
  const server = await listen(options, { lookup: findsNothing })
  const answer = await fetch(server.url)
  expect(await answer.text()).toBe('here')
  await server.stop(true)
})
