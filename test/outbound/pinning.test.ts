import { afterAll, describe, expect, test } from 'bun:test'
import { makeOutbound } from '../../src/outbound/client.ts'
import { type Lookup, systemLookup } from '../../src/outbound/dns.ts'
import { send } from '../../src/outbound/post.ts'
import { certify, NAME, outboundTo, receive, speak } from './servers.ts'

const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map(close => close())))

const json = { 'Content-Type': 'application/json' }
const say200 = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

async function listener(hostname = '127.0.0.1', port = 0) {
  const server = await speak(socket => socket.write(say200), hostname, port)
  closers.push(server.close)
  return server
}

/** A name server with changing answers: each once, in order, then the last one for all queries. */
function resolving(...answers: string[][]) {
  const queried: string[] = []
  const lookup = async (host: string) => {
    const addresses = answers[Math.min(queried.length, answers.length - 1)]!
    queried.push(host)
    return addresses.map(address => ({ address }))
  }
  return { queried, lookup }
}

const strict = (lookup: Lookup, timeoutMs = 2_000) =>
  makeOutbound({ allow: [], lookup, userAgent: 'Florin/1', now: () => performance.now(), timeoutMs })

const refusal = { code: 'destination_not_allowed', status: 422 }

describe('a host name with a private address', () => {
  const answers: [string, string[]][] = [
    ['loopback', ['127.0.0.1']],
    ['a cloud metadata address', ['169.254.169.254']],
    ['a private network', ['10.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['IPv4-mapped loopback in hexadecimal', ['::ffff:7f00:1']],
    ['IPv4-compatible loopback', ['::127.0.0.1']],
    ['NAT64 of loopback', ['64:ff9b::7f00:1']],
    ['6to4 of loopback', ['2002:7f00:1::']],
    ['a link-local address with a zone', ['fe80::1%eth0']],
    ['unspecified', ['0.0.0.0']],
    ['several public addresses, then a private one', ['1.1.1.1', '2606:4700::1', '8.8.8.8', '192.168.0.1']],
    ['a private address, then public ones', ['::1', '1.1.1.1', '8.8.8.8']],
    ['an invalid address', ['not-an-address']],
  ]

  test.each(answers)('is refused by check and post: %s', async (_name, addresses) => {
    const server = await listener()
    const { queried, lookup } = resolving(addresses)
    const url = `https://${NAME}:${server.port}/`
    await expect(strict(lookup).check(url, '/url', true)).rejects.toMatchObject(refusal)
    expect(await strict(lookup).post(url, json, '{}')).toMatchObject({
      httpStatus: null,
      outcome: 'destination_not_allowed',
    })
    expect(queried).toEqual([NAME, NAME])
    expect(server.seen.connections).toBe(0)
  })

  test('is refused by post, even if it was public at the check', async () => {
    const server = await listener()
    const { lookup } = resolving(['8.8.8.8'], ['127.0.0.1'])
    const outbound = strict(lookup)
    const url = `https://${NAME}:${server.port}/`
    await outbound.check(url, '/url', true)
    expect(await outbound.post(url, json, '{}')).toMatchObject({ outcome: 'destination_not_allowed' })
    expect(server.seen.connections).toBe(0)
  })

  test('is never used, even if the next query returns it', async () => {
    const server = await listener()
    const { queried, lookup } = resolving(['8.8.8.8'], ['127.0.0.1'])
    const reached: (readonly string[])[] = []
    const outbound = outboundTo([], {
      lookup,
      async send({ addresses }) {
        reached.push(addresses)
        return { httpStatus: null, outcome: 'unreachable' }
      },
    })
    await outbound.post(`https://${NAME}:${server.port}/`, json, '{}')
    expect(reached).toEqual([['8.8.8.8']])
    expect(queried).toEqual([NAME])
    expect(server.seen.connections).toBe(0)
  })

  test('is refused when the URL contains the address', async () => {
    const server = await listener()
    const { queried, lookup } = resolving(['8.8.8.8'])
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const result = await strict(lookup).post(`https://${host}:${server.port}/`, json, '{}')
      expect(result.outcome).toBe('destination_not_allowed')
    }
    expect(queried).toEqual([])
    expect(server.seen.connections).toBe(0)
  })

  test('is refused over plain http that is no longer allowed', async () => {
    const server = await listener()
    const { lookup } = resolving(['127.0.0.1'])
    const result = await strict(lookup).post(`http://${NAME}:${server.port}/`, json, '{}')
    expect(result.outcome).toBe('destination_not_allowed')
    expect(server.seen.connections).toBe(0)
  })
})

describe('a check of a URL', () => {
  test('refuses by the form of the URL alone if it does not resolve', async () => {
    const { queried, lookup } = resolving(['127.0.0.1'])
    await expect(strict(lookup).check('https://localhost/', '/url', false)).rejects.toMatchObject(refusal)
    await expect(strict(lookup).check('http://shop.example/', '/url', false)).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ path: '/url', rule: expect.any(String) }],
    })
    await strict(lookup).check('https://shop.example/', '/url', false)
    expect(queried).toEqual([])
  })

  test('uses the system resolver', async () => {
    // The system resolves an IP address without a name server.
    const aliased = strict(() => systemLookup('127.0.0.1'))
    await expect(aliased.check(`https://${NAME}/`, '/url', true)).rejects.toMatchObject(refusal)
  })

  test('accepts a name that does not exist, or does not resolve in time', async () => {
    await strict(() => Promise.reject(new Error('ENOTFOUND'))).check(`https://${NAME}/`, '/url', true)
    await strict(() => new Promise(() => {}), 100).check(`https://${NAME}/`, '/url', true)
  })

  test('accepts a name whose addresses are all public', async () => {
    const { lookup } = resolving(['1.1.1.1', '2606:4700:4700::1111'])
    await strict(lookup).check(`https://${NAME}/`, '/url', true)
  })

  test('accepts an allowed host without resolving it', async () => {
    const { queried, lookup } = resolving(['127.0.0.1'])
    await outboundTo([8080], { lookup }).check(`http://${NAME}:8080/`, '/url', true)
    expect(queried).toEqual([])
  })
})

describe('a connection uses the addresses that were resolved first', () => {
  test('over http, even if the name has changed since', async () => {
    const first = await listener('127.0.0.1')
    const second = await listener('127.0.0.2', first.port)
    const { queried, lookup } = resolving(['127.0.0.1'], ['127.0.0.2'])
    const url = `http://${NAME}:${first.port}/`
    expect((await outboundTo([first.port], { lookup }).post(url, json, '{}')).outcome).toBe('delivered')
    expect([queried.length, first.seen.connections, second.seen.connections]).toEqual([1, 1, 0])
  })

  test('over http, even if the system resolves the name to another address', async () => {
    const system = await listener('127.0.0.1')
    const pinned = await listener('127.0.0.2', system.port)
    const result = await send(
      {
        url: new URL(`http://localhost:${system.port}/`),
        addresses: ['127.0.0.2'],
        headers: {},
        body: '{}',
        ca: undefined,
      },
      new AbortController().signal,
    )
    expect(result).toEqual({ httpStatus: 200, outcome: 'delivered' })
    expect([pinned.seen.connections, system.seen.connections]).toEqual([1, 0])
  })

  test('over https, with the name in the certificate', async () => {
    const { key, cert } = certify(NAME)
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    const elsewhere = await listener('127.0.0.2', server.port)
    const { queried, lookup } = resolving(['127.0.0.1'], ['127.0.0.2'])
    const url = `https://${NAME}:${server.port}/hook`
    const result = await outboundTo([server.port], { lookup, ca: cert }).post(url, json, '{"a":1}')
    expect(result).toMatchObject({ httpStatus: 200, outcome: 'delivered' })
    expect(server.received[0]).toMatchObject({ path: '/hook', headers: { host: `${NAME}:${server.port}` } })
    expect(server.received[0]!.body.toString()).toBe('{"a":1}')
    expect([queried.length, elsewhere.seen.connections]).toEqual([1, 0])
  })

  test('and the next of them if one does not answer', async () => {
    const server = await listener('127.0.0.1')
    const { lookup } = resolving(['127.0.0.3', '127.0.0.1'])
    const url = `http://${NAME}:${server.port}/`
    expect((await outboundTo([server.port], { lookup }).post(url, json, '{}')).outcome).toBe('delivered')
  })
})

describe('the certificate of an endpoint', () => {
  test('for another name is refused before anything is sent', async () => {
    const { key, cert } = certify('other.example')
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    const result = await outboundTo([server.port], { ca: cert }).post(
      `https://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    expect(result).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    expect(server.received).toEqual([])
  })

  test('that is self-signed is refused, even if the environment turns the check off', async () => {
    const { key, cert } = certify(NAME)
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const result = await outboundTo([server.port]).post(`https://${NAME}:${server.port}/`, json, '{}')
      expect(result).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(server.received).toEqual([])
  })

  test('is required, so a server with plain http is refused', async () => {
    const server = receive()
    closers.push(server.close)
    const result = await outboundTo([server.port]).post(`https://${NAME}:${server.port}/`, json, '{}')
    expect(result).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    expect(server.received).toEqual([])
  })
})
