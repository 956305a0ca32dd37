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

/** A name server that lies: the first answer once, then the next, and the last for ever. */
function answering(...answers: string[][]) {
  const asked: string[] = []
  const lookup = async (host: string) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push(host)
    return addresses.map(address => ({ address }))
  }
  return { asked, lookup }
}

const strict = (lookup: Lookup, timeoutMs = 2_000) =>
  makeOutbound({ allow: [], lookup, userAgent: 'Florin/1', now: () => performance.now(), timeoutMs })

const refusal = { code: 'destination_not_allowed', status: 422 }

describe('a name with a private address', () => {
  const answers: [string, string[]][] = [
    ['loopback', ['127.0.0.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a private network', ['10.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['IPv4-mapped loopback in hexadecimal', ['::ffff:7f00:1']],
    ['IPv4-compatible loopback', ['::127.0.0.1']],
    ['NAT64 of loopback', ['64:ff9b::7f00:1']],
    ['6to4 of loopback', ['2002:7f00:1::']],
    ['a link-local address with a zone', ['fe80::1%eth0']],
    ['unspecified', ['0.0.0.0']],
    ['many public ones and one private, last', ['1.1.1.1', '2606:4700::1', '8.8.8.8', '192.168.0.1']],
    ['many public ones and one private, first', ['::1', '1.1.1.1', '8.8.8.8']],
    ['what is no address', ['not-an-address']],
  ]

  test.each(answers)('is refused by the check and by the post: %s', async (_name, addresses) => {
    const server = await listener()
    const { asked, lookup } = answering(addresses)
    const url = `https://${NAME}:${server.port}/`
    await expect(strict(lookup).check(url, '/url', true)).rejects.toMatchObject(refusal)
    expect(await strict(lookup).post(url, json, '{}')).toMatchObject({
      httpStatus: null,
      outcome: 'destination_not_allowed',
    })
    expect(asked).toEqual([NAME, NAME])
    expect(server.seen.connections).toBe(0)
  })

  test('is refused at the post, though it was public at the check', async () => {
    const server = await listener()
    const { lookup } = answering(['8.8.8.8'], ['127.0.0.1'])
    const outbound = strict(lookup)
    const url = `https://${NAME}:${server.port}/`
    await outbound.check(url, '/url', true)
    expect(await outbound.post(url, json, '{}')).toMatchObject({ outcome: 'destination_not_allowed' })
    expect(server.seen.connections).toBe(0)
  })

  test('is never used, though it comes right after a public one', async () => {
    const server = await listener()
    const { asked, lookup } = answering(['8.8.8.8'], ['127.0.0.1'])
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
    expect(asked).toEqual([NAME])
    expect(server.seen.connections).toBe(0)
  })

  test('is refused by the address itself', async () => {
    const server = await listener()
    const { asked, lookup } = answering(['8.8.8.8'])
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const answer = await strict(lookup).post(`https://${host}:${server.port}/`, json, '{}')
      expect(answer.outcome).toBe('destination_not_allowed')
    }
    expect(asked).toEqual([])
    expect(server.seen.connections).toBe(0)
  })

  test('cannot be posted to over plain http that is not allowed any more', async () => {
    const server = await listener()
    const { lookup } = answering(['127.0.0.1'])
    const answer = await strict(lookup).post(`http://${NAME}:${server.port}/`, json, '{}')
    expect(answer.outcome).toBe('destination_not_allowed')
    expect(server.seen.connections).toBe(0)
  })
})

describe('a check', () => {
  test('refuses by the form alone when it need not resolve', async () => {
    const { asked, lookup } = answering(['127.0.0.1'])
    await expect(strict(lookup).check('https://localhost/', '/url', false)).rejects.toMatchObject(refusal)
    await expect(strict(lookup).check('http://shop.example/', '/url', false)).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ path: '/url', rule: expect.any(String) }],
    })
    await strict(lookup).check('https://shop.example/', '/url', false)
    expect(asked).toEqual([])
  })

  test('asks the system for the addresses of a name', async () => {
    // The system answers an address itself, without asking a server of names.
    const aliased = strict(() => systemLookup('127.0.0.1'))
    await expect(aliased.check(`https://${NAME}/`, '/url', true)).rejects.toMatchObject(refusal)
  })

  test('passes a name that is not found, or not in time', async () => {
    await strict(() => Promise.reject(new Error('ENOTFOUND'))).check(`https://${NAME}/`, '/url', true)
    await strict(() => new Promise(() => {}), 100).check(`https://${NAME}/`, '/url', true)
  })

  test('passes a name whose addresses are all public', async () => {
    const { lookup } = answering(['1.1.1.1', '2606:4700:4700::1111'])
    await strict(lookup).check(`https://${NAME}/`, '/url', true)
  })

  test('passes an allowed place without asking for its addresses', async () => {
    const { asked, lookup } = answering(['127.0.0.1'])
    await outboundTo([8080], { lookup }).check(`http://${NAME}:8080/`, '/url', true)
    expect(asked).toEqual([])
  })
})

describe('a connection goes to the addresses that were looked up first', () => {
  test('over http, though the name has moved since', async () => {
    const first = await listener('127.0.0.1')
    const second = await listener('127.0.0.2', first.port)
    const { asked, lookup } = answering(['127.0.0.1'], ['127.0.0.2'])
    const url = `http://${NAME}:${first.port}/`
    expect((await outboundTo([first.port], { lookup }).post(url, json, '{}')).outcome).toBe('delivered')
    expect([asked.length, first.seen.connections, second.seen.connections]).toEqual([1, 1, 0])
  })

  test('over http, though the system knows the name by another address', async () => {
    const system = await listener('127.0.0.1')
    const pinned = await listener('127.0.0.2', system.port)
    const heard = await send(
      {
        url: new URL(`http://localhost:${system.port}/`),
        addresses: ['127.0.0.2'],
        headers: {},
        body: '{}',
        ca: undefined,
      },
      new AbortController().signal,
    )
    expect(heard).toEqual({ httpStatus: 200, outcome: 'delivered' })
    expect([pinned.seen.connections, system.seen.connections]).toEqual([1, 0])
  })

  test('over https, with the name in the certificate', async () => {
    const { key, cert } = certify(NAME)
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    const elsewhere = await listener('127.0.0.2', server.port)
    const { asked, lookup } = answering(['127.0.0.1'], ['127.0.0.2'])
    const url = `https://${NAME}:${server.port}/hook`
    const answer = await outboundTo([server.port], { lookup, ca: cert }).post(url, json, '{"a":1}')
    expect(answer).toMatchObject({ httpStatus: 200, outcome: 'delivered' })
    expect(server.received[0]).toMatchObject({ path: '/hook', headers: { host: `${NAME}:${server.port}` } })
    expect(server.received[0]!.body.toString()).toBe('{"a":1}')
    expect([asked.length, elsewhere.seen.connections]).toEqual([1, 0])
  })

  test('and to another of them when one does not answer', async () => {
    const server = await listener('127.0.0.1')
    const { lookup } = answering(['127.0.0.3', '127.0.0.1'])
    const url = `http://${NAME}:${server.port}/`
    expect((await outboundTo([server.port], { lookup }).post(url, json, '{}')).outcome).toBe('delivered')
  })
})

describe('a certificate', () => {
  test('of another name is refused before anything is sent', async () => {
    const { key, cert } = certify('other.example')
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    const answer = await outboundTo([server.port], { ca: cert }).post(
      `https://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    expect(server.received).toEqual([])
  })

  test('that nobody vouches for is refused, even with the check turned off in the environment', async () => {
    const { key, cert } = certify(NAME)
    const server = receive(undefined, { key, cert })
    closers.push(server.close)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const answer = await outboundTo([server.port]).post(`https://${NAME}:${server.port}/`, json, '{}')
      expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(server.received).toEqual([])
  })

  test('is asked for by a server that speaks only plain http', async () => {
    const server = receive()
    closers.push(server.close)
    const answer = await outboundTo([server.port]).post(`https://${NAME}:${server.port}/`, json, '{}')
    expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    expect(server.received).toEqual([])
  })
})
