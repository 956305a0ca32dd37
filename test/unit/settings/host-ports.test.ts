import { describe, expect, test } from 'bun:test'
import { hostPorts } from '../../../src/settings/parsers.ts'

describe('FLORIN_OUTBOUND_ALLOW', () => {
  test.each([
    'localhost',
    'localhost:',
    ':8080',
    'localhost:0',
    'localhost:65536',
    'localhost:http',
    'http://localhost:8080',
    'localhost:8080/hook',
    'user@localhost:8080',
    '::1:8080',
    '[::1]',
    '[fe80::1%eth0]:80',
    '[::g]:80',
    '*:8080',
    '1.2.3.4.5:80',
    'a b:80',
  ])('"%s" is refused, and named in the error', item => {
    expect(() => hostPorts(`good.internal:80,${item}`)).toThrow(`"${item}"`)
  })

  test('is empty by default', () => {
    expect(hostPorts('')).toEqual([])
    expect(hostPorts(' , ')).toEqual([])
  })

  test('spells each host in one way', () => {
    expect(hostPorts('LocalHost.:80, 0x7f.1:8080,[0:0::1]:9,Receiver_1.Internal:65535,bücher.lan:1')).toEqual(
      [
        { host: 'localhost', port: 80 },
        { host: '127.0.0.1', port: 8080 },
        { host: '[::1]', port: 9 },
        { host: 'receiver_1.internal', port: 65535 },
        { host: 'xn--bcher-kva.lan', port: 1 },
      ],
    )
  })
})
