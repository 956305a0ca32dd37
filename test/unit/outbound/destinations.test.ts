import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { checkUrl, type ReachableHost } from '../../../src/outbound/destinations.ts'
import { allowedHosts } from '../../../src/settings/parsers.ts'
import { words } from '../../support/words.ts'

function refusalOf(text: string, allow: readonly ReachableHost[] = []): Refusal | null {
  try {
    checkUrl(text, '/url', { allow })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

describe('a malformed URL is a validation error', () => {
  const malformed: Record<string, string> = {
    empty: '',
    'a word': 'hello',
    'a host alone': 'shop.example/hook',
    'without a scheme': '//shop.example/hook',
    'with one slash': 'https:/shop.example/hook',
    'with three slashes': 'https:///shop.example/hook',
    'without a host': 'https://',
    'with only a query': 'https://?a=b',
    'with backslashes': 'https:\\\\shop.example\\hook',
    'with a backslash in its host': 'https://shop.example\\@10.0.0.1/',
    'in capitals': 'HTTPS://shop.example/hook',
    'plain http': 'http://shop.example/hook',
    'plain http to a private address': 'http://127.0.0.1/hook',
    ftp: 'ftp://shop.example/hook',
    file: 'file:///etc/passwd',
    javascript: 'javascript:alert(1)',
    data: 'data:text/plain,hello',
    'with a leading space': ' https://shop.example/',
    'with a space in its path': 'https://shop.example/a b',
    'with a tab in its scheme': 'ht\ttps://shop.example/',
    'with a tab in its host': 'https://shop.exa\tmple/',
    'with a line break': 'https://shop.example/\nhook',
    'with a NUL': 'https://shop.example/\0',
    'with a user name': 'https://user@shop.example/',
    'with a user name and password': 'https://user:pass@shop.example/',
    'with an empty user name': 'https://@shop.example/',
    'with an empty user name and password': 'https://:@shop.example/',
    'with a host as user name': 'https://shop.example@10.0.0.1/',
    'with a fragment': 'https://shop.example/#top',
    'with an empty fragment': 'https://shop.example/#',
    'with an invalid port': 'https://shop.example:99999/',
    'with letters for a port': 'https://shop.example:https/',
    'with a zone': 'https://[fe80::1%25eth0]/',
    'with a bare zone': 'https://[fe80::1%eth0]/',
    'with a semicolon in its host': 'https://a;b.example/',
    'with a comma in its host': 'https://a,b.example/',
    'with half an address': 'https://[::1/',
    'with five parts': 'https://1.2.3.4.5/',
    'with a number too large': 'https://256.1.1.1/',
    'with a number beyond 32 bits': 'https://4294967296/',
    'that ends in a number': 'https://shop.127/',
    'with broken punycode': 'https://xn--/',
    'with a percent-encoded NUL in its host': 'https://shop%00.example/',
    'too long': `https://shop.example/${'a'.repeat(2028)}`,
  }

  test.each(Object.entries(malformed))('%s', (_name, text) => {
    const refusal = refusalOf(text)
    expect(refusal?.code).toBe('validation_error')
    expect(refusal?.details).toEqual([{ path: '/url', rule: expect.any(String) }])
  })

  test('and the error never contains the URL', () => {
    for (const text of Object.values(malformed).filter(text => text.length > 8)) {
      expect(JSON.stringify([refusalOf(text)?.message, refusalOf(text)?.details])).not.toContain(text)
    }
    const refusal = refusalOf('https://secret-user:secret-word@shop.example/secret-path')
    expect(JSON.stringify([refusal?.message, refusal?.details])).not.toContain('secret')
  })
})

describe('a well-formed URL of a private or internal host is not allowed', () => {
  const hosts: Record<string, string[]> = {
    'as a name': words('localhost LOCALHOST localhost. localhost.. a.localhost localhost.localdomain'),
    'with an internal suffix': words(`
      printer.local db.internal metadata.google.internal metadata.google.internal. wiki.intranet nas.lan
      tv.home ad.corp x.private router.home.arpa A.B.LoCaL db.INTERNAL.. xn--bcher-kva.lan bücher.lan
    `),
    'as a single label': ['intranet', 'redis', 'redis.', 'kubernetes', 'xn--bcher-kva', 'bücher', 'com'],
    'in dotted decimals': words('127.0.0.1 10.1.2.3 192.168.1.1 169.254.169.254 0.0.0.0 127.0.0.1.'),
    'as one number': ['2130706433', '0x7f000001', '017700000001', '0', '0x0', '3232235777', '0xffffffff'],
    'in octal': ['0177.0.0.1', '0300.0250.0.1', '00000177.0.0.01', '012.1.2.3'],
    'in hexadecimal': words('0x7f.0.0.1 0x7f.1 0X7F.0x0.0x0.0x1 0xa9.0xfe.0xa9.0xfe 0x7f.0x000000000001'),
    'with fewer parts': ['127.1', '127.0.1', '10.1', '192.168.257', '0.1', '172.1048577'],
    'percent-encoded': ['%31%32%37.0.0.1', '127%2e0.0.1', 'local%68ost', '%6c%6f%63%61%6c%68%6f%73%74'],
    'in Unicode look-alikes': words(
      '１２７.０.０.１ ①②⑦.0.0.1 127。0。0。1 ⓛocalhost ＬＯＣＡＬＨＯＳＴ a.ｌocal',
    ),
    'with soft hyphens': ['127.0.0\u00ad.1', 'local\u00adhost', 'a.lo\u00adcal'],
    'as IPv6': words('[::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [fe80::1] [fd00:ec2::254] [fec0::1]'),
    'as IPv6 that embeds IPv4': words(`
      [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b:1::10.0.0.1]
      [2002:7f00:1::] [2001:0:7f00:1::] [::ffff:0:10.0.0.1]
    `),
    'as IPv6 that is not public': words('[ff02::1] [2001:db8::1] [100::1] [3fff::1] [5f00::1] [4000::1]'),
  }

  for (const [kind, spellings] of Object.entries(hosts)) {
    test.each(spellings)(`${kind}: %s`, host => {
      expect(refusalOf(`https://${host}/hook`)?.code).toBe('destination_not_allowed')
      expect(refusalOf(`https://${host}:8443/hook?a=b`)?.code).toBe('destination_not_allowed')
      expect(refusalOf(`https://${host}/hook`)?.status).toBe(422)
    })
  }
})

test.each([
  'https://shop.example',
  'https://shop.example/hook?order=1&b=%20',
  'https://shop.example.:8443/hook',
  'https://shop.test/',
  'https://shop.invalid/',
  'https://bücher.example/ä',
  'https://xn--bcher-kva.example/',
  'https://localhost.example/',
  'https://local.example/',
  'https://notlocal.shoplocal/x.y',
  'https://mylan.example.com/',
  'https://intranet.example.com/',
  'https://127.0.0.1.nip.example/',
  'https://a_b.example/',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://[2606:4700:4700::1111]:444/',
  'https://shop.example:1/',
  'https://shop.example/@user',
  'https://shop.example/?a@b',
  `https://shop.example/${'a'.repeat(2027)}`,
])('%s is a public destination', text => {
  expect(refusalOf(text)).toBeNull()
})

describe('an allowed host and port', () => {
  const allow = allowedHosts('localhost:80,127.0.0.1:8080,[::1]:8080,receiver.internal:443,shop.example:8080')

  test.each([
    ['https://localhost/', 'destination_not_allowed'],
    ['http://localhost:8080/', 'validation_error'],
    ['http://127.0.0.1/', 'validation_error'],
    ['https://127.0.0.1:8081/', 'destination_not_allowed'],
    ['http://receiver.internal/', 'validation_error'],
    ['https://other.internal/', 'destination_not_allowed'],
    ['http://shop.example/', 'validation_error'],
    ['http://user@localhost/', 'validation_error'],
    ['http://localhost/#top', 'validation_error'],
    ['ftp://localhost:80/', 'validation_error'],
  ])('does not allow %s', (text, code) => {
    expect(refusalOf(text, allow)?.code).toBe(code as Refusal['code'])
  })

  test.each(
    words(`
    http://localhost/ http://LOCALHOST.:80/hook https://localhost:80/ http://127.0.0.1:8080/
    https://127.0.0.1:8080/ http://0x7f.1:8080/ http://[::1]:8080/ http://[0:0::0:1]:8080/hook
    https://receiver.internal/ http://shop.example:8080/
  `),
  )('allows %s', text => {
    expect(refusalOf(text, allow)).toBeNull()
  })
})
