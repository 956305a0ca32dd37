import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isPublic } from '../../../src/outbound/ip-addresses.ts'
import { words } from '../../support/words.ts'

/** The first and last addresses of each range that is not public, or that embeds an IPv4 address. */
const refused: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  'link-local, including cloud metadata': ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  documentation: ['192.0.2.0', '198.51.100.7', '203.0.113.255'],
  'AS112 and AMT': ['192.31.196.1', '192.175.48.1', '192.52.193.1'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  reserved: ['240.0.0.0', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  'a cloud host': ['168.63.129.16'],
  'unspecified and loopback, version 6': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::FFFF:169.254.169.254'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::', '64:ff9b:1:ffff::a9fe:a9fe'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'site-local': ['fec0::', 'fec0::1', 'feff:ffff::1'],
  'link-local, version 6': ['fe80::', 'fe80::1', 'febf:ffff::1'],
  'with a zone': ['fe80::1%eth0', 'fe80::1%1', '2606:4700::1111%eth0', '2606:4700::1111%a-b'],
  'unique local': ['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  'multicast, version 6': ['ff00::', 'ff02::1', 'ffff:ffff::1'],
  'documentation, version 6': ['2001:db8::', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
  'discard-only': ['100::', '100::ffff'],
  'protocol assignments, version 6': ['2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1'],
  'ORCHID and drones': ['2001:20::1', '2001:2f:ffff::1', '2001:30::1'],
  'AS112, version 6': ['2620:4f:8000::1'],
  'segment routing': ['5f00::1'],
  'not assigned': ['4000::1', '8000::1', 'e000::1', '200::1', '1fff::1', '64:ff9b:2::1'],
  'not an address': [
    ...['', 'localhost', '127.1', '0x7f.0.0.1', '010.0.0.1', '1.2.3', '1.2.3.4.5', ':::1', '[::1]'],
  ],
}

for (const [range, addresses] of Object.entries(refused)) {
  test.each(addresses)(`${range}: "%s" is not public`, address => {
    expect(isPublic(address)).toBe(false)
  })
}

test('no private IPv4 address becomes public inside an IPv6 address', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const privates = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  )
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16)
  const wraps: ((groups: string) => string)[] = [
    groups => `::${groups}`,
    groups => `::ffff:${groups}`,
    groups => `::ffff:0:${groups}`,
    groups => `64:ff9b::${groups}`,
    groups => `64:ff9b:1::${groups}`,
    groups => `2002:${groups}::1`,
    groups => `2001:0:${groups}::1`,
  ]
  fc.assert(
    fc.property(privates, fc.constantFrom(...wraps), ([a, b, c, d], wrap) => {
      expect(isPublic(wrap(`${hex(a, b)}:${hex(c, d)}`))).toBe(false)
    }),
  )
})

test.each(
  words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111
  2a00:1450::1 2003::1
`),
)('%s is public', address => {
  expect(isPublic(address)).toBe(true)
})
