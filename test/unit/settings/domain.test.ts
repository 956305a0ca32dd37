import { expect, test } from 'bun:test'
import { readSettings } from '../../../src/settings/read.ts'

const domainsOf = (value: string) => readSettings({ FLORIN_DOMAIN: value }).domains

test.each([
  ['pay.shop.example', ['pay.shop.example']],
  [' Pay.Shop.Example , www.shop.example,pay.shop.example', ['pay.shop.example', 'www.shop.example']],
  ['münze.example', ['xn--mnze-0ra.example']],
  ['', []],
])('FLORIN_DOMAIN=%s is read', (value, expected) => {
  expect(domainsOf(value)).toEqual(expected)
})

test.each([
  'https://pay.shop.example',
  'pay.shop.example:443',
  '*.shop.example',
  'localhost',
  '203.0.113.7',
  '[2001:db8::1]',
  'pay.shop.example/',
  'a@shop.example',
  'a..example',
  '-a.example',
  `${'a'.repeat(64)}.example`,
])('FLORIN_DOMAIN=%s is refused', value => {
  expect(() => domainsOf(value)).toThrow(`FLORIN_DOMAIN lists "${value}", which is not a host name`)
})

test('the public address is that of the first domain, unless another one is set', () => {
  const publicUrl = (more: Record<string, string>) =>
    readSettings({ FLORIN_DOMAIN: 'pay.shop.example,b.example', ...more }).checkoutUrl
  expect(publicUrl({})).toBe('https://pay.shop.example')
  expect(publicUrl({ FLORIN_HTTPS_PORT: '8443' })).toBe('https://pay.shop.example:8443')
  expect(publicUrl({ FLORIN_CHECKOUT_URL: 'https://b.example' })).toBe('https://b.example')
})

test('a domain opens the sandbox to everyone, so it needs FLORIN_SANDBOX=public', () => {
  const settings = { FLORIN_DOMAIN: 'pay.shop.example', FLORIN_SANDBOX: 'true' }
  expect(() => readSettings(settings)).toThrow('FLORIN_SANDBOX=public')
  expect(readSettings({ ...settings, FLORIN_SANDBOX: 'public' }).domains).toHaveLength(1)
})

test('FLORIN_ACME_URL is a directory over HTTPS, or the staging directory', () => {
  const directory = (url: string) => readSettings({ FLORIN_ACME_URL: url }).acmeUrl
  expect(directory('')).toBe('https://acme-v02.api.letsencrypt.org/directory')
  expect(directory('staging')).toBe('https://acme-staging-v02.api.letsencrypt.org/directory')
  expect(directory('https://ca.example/dir')).toBe('https://ca.example/dir')
  expect(() => directory('http://ca.example/dir')).toThrow('FLORIN_ACME_URL must be an https:// URL')
})
