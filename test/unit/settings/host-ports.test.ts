import { describe, expect, test } from 'bun:test'
import { allowedHosts } from '../../../src/settings/parsers.ts'

describe('FLORIN_OUTBOUND_ALLOW', () => {
  test.each([
    ...['localhost', 'localhost:', ':8080', 'localhost:0', 'localhost:65536', 'localhost:http'],
    ...['http://localhost:8080', 'localhost:8080/hook', 'user@localhost:8080', '::1:8080', '[::1]'],
    ...['[fe80::1%eth0]:80', '[::g]:80', '*:8080', '1.2.3.4.5:80', 'a b:80'],
  ])('"%s" is refused, and named in the error', item => {
    expect(() => allowedHosts(`good.internal:80,${item}`)).toThrow(`"${item}"`)
  })

  test('is empty by default', () => {
    expect(allowedHosts('')).toEqual([])
    expect(allowedHosts(' , ')).toEqual([])
  })

  const both = ['endpoint', 'webhook'] as const

  test('spells each host in one way', () => {
    expect(
      allowedHosts('LocalHost.:80, 0x7f.1:8080,[0:0::1]:9,Receiver_1.Internal:65535,bücher.lan:1'),
    ).toEqual([
      { host: 'localhost', port: 80, purposes: both },
      { host: '127.0.0.1', port: 8080, purposes: both },
      { host: '[::1]', port: 9, purposes: both },
      { host: 'receiver_1.internal', port: 65535, purposes: both },
      { host: 'xn--bcher-kva.lan', port: 1, purposes: both },
    ])
  })

  test('applies to endpoints and webhooks, or only to the purpose that an entry names', () => {
    const purposesOf = (text: string) => allowedHosts(text).map(({ host, purposes }) => [host, ...purposes])
    expect(purposesOf('node:80,endpoint:node:80,webhook:[::1]:80,channel:ntfy.lan:80,webhook:80')).toEqual([
      ['node', ...both],
      ['node', 'endpoint'],
      ['[::1]', 'webhook'],
      ['ntfy.lan', 'channel'],
      ['webhook', ...both],
    ])
    for (const item of ['mail:ntfy.lan:80', 'channel:ntfy.lan', 'Channel:ntfy.lan:80', ':ntfy.lan:80'])
      expect(() => allowedHosts(item)).toThrow(`"${item}"`)
  })
})
