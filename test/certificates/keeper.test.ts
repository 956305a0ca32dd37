import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CertificateFiles } from '../../src/certificates/files.ts'
import { CertificateKeeper } from '../../src/certificates/keeper.ts'
import { startAcmeServer } from '../support/acme-server.ts'
import { newFolder } from '../support/process.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
const NAMES = ['pay.shop.example', 'www.shop.example']
const START = Date.UTC(2027, 0, 1)

let now = START
let keeper: CertificateKeeper | null = null
const lines: { event: string; reason?: string }[] = []
const line = (fields: object, event: string) => void lines.push({ ...fields, event })

/** The server's port for HTTP. In these tests, it serves only the challenges. */
const http = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const answer = keeper?.answer(new URL(request.url).pathname.split('/').at(-1) ?? '') ?? null
    return answer === null ? new Response('nothing', { status: 404 }) : new Response(answer)
  },
})
const stranger = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('another server') })
let ca = startAcmeServer({ now: () => now, challengePort: http.port! })

let folder = ''

type Options = ConstructorParameters<typeof CertificateKeeper>[0]

function open(more: Partial<Options> = {}): CertificateKeeper {
  const directoryUrl = ca.url
  keeper = new CertificateKeeper({
    names: NAMES,
    directoryUrl,
    email: 'you@shop.example',
    files: new CertificateFiles(folder, directoryUrl),
    fetch: (url, init) => fetch(url, { ...init, tls: { ca: ca.authority.rootPem } }),
    lookup: async () => ['203.0.113.7'],
    now: () => now,
    sleep: async ms => {
      now += ms
    },
    random: () => 0.5,
    log: { debug: line, info: line, warn: line, error: line },
    stopping: new AbortController().signal,
    ...more,
  })
  return keeper
}

/** Advances the clock in steps, as the server does: it looks whenever something is due. */
async function pass(kept: CertificateKeeper, ms: number): Promise<void> {
  const until = now + ms
  for (let dueAt = await kept.look(); dueAt < until; dueAt = await kept.look()) now = Math.max(now, dueAt)
  now = until
}

beforeEach(() => {
  ca.stop()
  now = START
  ca = startAcmeServer({ now: () => now, challengePort: http.port! })
  folder = newFolder()
  lines.length = 0
})

afterAll(() => {
  http.stop(true)
  stranger.stop(true)
  ca.stop()
})

/** The orders that led to a certificate. */
const issued = () => [...ca.orders.values()].filter(({ status }) => status === 'valid')
const events = () => lines.map(({ event }) => event)
const problem = () => keeper?.state().problem ?? ''

describe('a new server', () => {
  test('gets a certificate for all its names, and keeps it in files that only its user can read', async () => {
    const kept = open()
    await kept.look()
    expect(kept.state()).toMatchObject({ names: NAMES, problem: null, certificate: { names: NAMES } })
    expect(events()).toEqual(['certificate.obtained'])
    expect([...ca.accounts.values()].map(({ contact }) => contact)).toEqual([['mailto:you@shop.example']])
    const { folder: own } = new CertificateFiles(folder, ca.url)
    const files = readdirSync(own)
    expect(files.sort()).toEqual(['account.pem', 'certificate.pem'])
    expect(files.map(name => statSync(join(own, name)).mode & 0o777)).toEqual([0o600, 0o600])
    expect(statSync(own).mode & 0o777).toBe(0o700)
    expect(JSON.stringify(lines)).not.toContain('PRIVATE')
  })

  test('uses its certificate after a restart, with the same account', async () => {
    await open().look()
    const first = keeper?.certificate?.chain
    const again = open()
    expect(again.certificate?.chain).toBe(first)
    await again.look()
    expect(issued()).toHaveLength(1)
    await pass(again, 80 * DAY_MS)
    expect([issued().length, ca.accounts.size]).toEqual([2, 1])
  })

  test('orders again for another name, and serves the former certificate until it has the new one', async () => {
    await open({ names: [NAMES[0]!] }).look()
    const both = open()
    expect(both.certificate?.names).toEqual([NAMES[0]!])
    await both.look()
    expect(both.certificate?.names).toEqual(NAMES)
  })

  test('survives a damaged file', async () => {
    const kept = open()
    await kept.look()
    const file = join(new CertificateFiles(folder, ca.url).folder, 'certificate.pem')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 300))
    const again = open()
    expect([again.certificate, lines.at(-1)?.event]).toEqual([null, 'certificate.damaged'])
    await again.look()
    expect(again.certificate?.names).toEqual(NAMES)
  })
})

describe('a certificate is renewed', () => {
  test('when the certificate authority asks for it', async () => {
    const kept = open()
    await kept.look()
    const start = START + 20 * DAY_MS
    ca.faults.window = { start, end: start + DAY_MS }
    await pass(kept, 20 * DAY_MS)
    expect(issued()).toHaveLength(1)
    await pass(kept, DAY_MS)
    expect(issued()).toHaveLength(2)
    expect(issued()[1]?.replaces).toMatch(/^AQIDBAUGBwgJCgsMDQ4PEBESExQ[.]A/)
  })

  test('when a third of its lifetime is left, if the authority asks for nothing or for later', async () => {
    const kept = open()
    ca.faults.answer.renewalInfo = () => new Response('broken', { status: 500 })
    await kept.look()
    const thirdLeft = kept.certificate!.notAfter - 30 * DAY_MS
    await pass(kept, thirdLeft - now - HOUR_MS)
    expect(issued()).toHaveLength(1)
    await pass(kept, 2 * HOUR_MS)
    expect(issued()).toHaveLength(2)
    ca.faults.answer = {}
    ca.faults.window = { start: now + 365 * DAY_MS, end: now + 366 * DAY_MS }
    await pass(kept, 61 * DAY_MS)
    expect(issued()).toHaveLength(3)
  })

  test('within hours of its revocation, but at most once a day if the authority keeps asking for it', async () => {
    const kept = open()
    await kept.look()
    await pass(kept, 3 * DAY_MS)
    ca.revokeAll()
    await pass(kept, 7 * HOUR_MS)
    expect(issued()).toHaveLength(2)
    ca.faults.window = { start: 0, end: 1 }
    await pass(kept, 10 * DAY_MS)
    expect(issued().length).toBeLessThan(14)
  })

  test('after a week in which the authority was down, and the former certificate is served meanwhile', async () => {
    const kept = open()
    await kept.look()
    const first = kept.certificate
    await pass(kept, 59 * DAY_MS)
    ca.faults.isDown = true
    const before = ca.calls.length
    await pass(kept, 7 * DAY_MS)
    expect(kept.certificate).toBe(first)
    expect(problem()).toBe(`${new URL(ca.url).host} cannot be used: it answers with status 503.`)
    ca.faults.isDown = false
    await pass(kept, 6 * HOUR_MS)
    expect([kept.certificate === first, kept.state().problem, before < ca.calls.length]).toEqual([
      false,
      null,
      true,
    ])
    const tries = events().filter(event => event === 'certificate.failed').length
    expect(tries).toBeLessThan(45)
  })

  test('soon after a start, if it expired while the server was off', async () => {
    await open().look()
    now += 200 * DAY_MS
    const kept = open()
    expect(kept.certificate).not.toBeNull()
    await kept.look()
    expect(kept.certificate!.notAfter).toBeGreaterThan(now)
  })
})

describe('a failure is explained in plain words', () => {
  test('port 80 does not answer', async () => {
    ca.faults.challengePort = 1
    await open().look()
    expect(problem()).toStartWith(
      `localhost:${new URL(ca.url).port} cannot connect to http://pay.shop.example on port 80. pay.shop.example ` +
        'points to 203.0.113.7. Check that this is the public address of this server',
    )
  })

  test('another server answers', async () => {
    ca.faults.challengePort = stranger.port!
    await open().look()
    expect(problem()).toStartWith(
      'Another server answers at http://pay.shop.example. pay.shop.example points to',
    )
  })

  test('the authority limits orders, and is not asked again before its limit ends', async () => {
    ca.faults.rateLimited = 5 * 3600
    const kept = open()
    const at = await kept.look()
    expect(problem()).toContain('refuses more requests until 2027-01-01T05:00:00Z. It says: too many')
    expect(at).toBe(START + 5 * HOUR_MS)
    const asked = ca.calls.length
    now += HOUR_MS
    const again = open()
    expect(await again.look()).toBe(START + 5 * HOUR_MS)
    expect([ca.calls.length, again.state().problem]).toEqual([asked, problem()])
    ca.faults.rateLimited = null
    await pass(again, 5 * HOUR_MS)
    expect(again.state().problem).toBeNull()
  })

  test('no more than five tries fit into the first hour, also with restarts', async () => {
    ca.faults.challengePort = 1
    for (let minute = 0; minute < 60; minute++) {
      await open().look()
      now = START + minute * 60_000
    }
    expect(ca.calls.filter(call => call === 'newOrder').length).toBeLessThanOrEqual(5)
  })

  test.each<[string, string, () => Response, string]>([
    ['no JSON', 'directory', () => new Response('<html>'), 'its directory has no newNonce'],
    [
      'a challenge with a bad token',
      'authorization',
      () =>
        Response.json({
          status: 'pending',
          challenges: [{ type: 'http-01', token: '../x', url: 'https://a.example' }],
        }),
      'its challenge has no valid token',
    ],
    [
      'no challenge over HTTP',
      'authorization',
      () => Response.json({ status: 'pending', identifier: { value: 'a.example' }, challenges: [] }),
      'it offers no HTTP challenge for a.example',
    ],
    [
      'no certificate',
      'certificate',
      () => new Response('-----BEGIN NOTHING'),
      'its certificate cannot be used',
    ],
    ['a long answer', 'order', () => new Response('x'.repeat(300_000)), 'its answer is too large'],
    [
      'a plain address',
      'newOrder',
      () =>
        Response.json(
          { authorizations: ['http://a.example/1'] },
          { status: 201, headers: { location: 'https://localhost/1' } },
        ),
      'it names an address without HTTPS',
    ],
  ])('wrong answers: %s', async (_name, kind, answer, words) => {
    ca.faults.answer[kind] = answer
    await open().look()
    expect(problem()).toContain(`gave a wrong answer: ${words}`)
    expect(keeper?.certificate).toBeNull()
  })

  test('a certificate for another key is refused, and the one in use stays', async () => {
    const kept = open()
    await kept.look()
    const first = kept.certificate!
    ca.faults.answer.certificate = () => new Response(first.chain)
    await pass(kept, 61 * DAY_MS)
    expect(kept.certificate).toBe(first)
    expect(problem()).toContain('its certificate cannot be used: the certificate is for another key')
  })
})

test('refused nonces are replaced', async () => {
  ca.faults.badNonces = 3
  await open().look()
  expect(keeper?.state().problem).toBeNull()
})
