import { expect, test } from 'bun:test'
import { readSettings, showSettings } from '../../../src/settings/read.ts'

const FROM = { FLORIN_MAIL_FROM: 'florin@shop.example' }
const FILE = { FLORIN_NOTIFY_SECRET_FILE: '/run/secret' }

test.each([
  ['https://shop.example/hook?a=1', { name: 'https', url: 'https://shop.example/hook?a=1', topic: '' }],
  ['ntfy+https://ntfy.sh/my-shop', { name: 'ntfy', url: 'https://ntfy.sh', topic: 'my-shop' }],
  ['ntfy+https://a.example/b/my-shop', { name: 'ntfy', url: 'https://a.example/b', topic: 'my-shop' }],
  ['telegram://-100123', { name: 'telegram', url: 'https://api.telegram.org', topic: '-100123' }],
  ['telegram://@shop', { name: 'telegram', url: 'https://api.telegram.org', topic: '@shop' }],
  ['telegram+https://bot.example/5', { name: 'telegram', url: 'https://bot.example', topic: '5' }],
] as const)('FLORIN_NOTIFY_URL=%s is read', (value, expected) => {
  expect(readSettings({ FLORIN_NOTIFY_URL: value, ...FILE }).notifyUrl).toEqual(expected)
})

test.each([
  ...['shop.example', 'ftp://shop.example/', 'https://ann:secret@shop.example/', 'ntfy+https://ntfy.sh'],
  ...['ntfy+https://ntfy.sh/', 'telegram://', 'telegram://a b', 'slack+https://shop.example/x'],
])('FLORIN_NOTIFY_URL=%s is refused', value => {
  expect(() => readSettings({ FLORIN_NOTIFY_URL: value, ...FILE })).toThrow(
    /FLORIN_NOTIFY_URL must be https:/,
  )
})

test.each(['smtp://mail.example', 'smtp://mail.example:25/', 'smtps://ann:p%40ss@mail.example:465'])(
  'FLORIN_SMTP_URL=%s is read',
  value => {
    expect(readSettings({ FLORIN_SMTP_URL: value, ...FROM }).smtpUrl).toBe(value)
  },
)

test.each([
  ...['mail.example', 'https://mail.example', 'smtp://mail.example/x', 'smtp://mail.example?tls=no'],
  'smtp://',
])('FLORIN_SMTP_URL=%s is refused', value => {
  expect(() => readSettings({ FLORIN_SMTP_URL: value, ...FROM })).toThrow(/FLORIN_SMTP_URL must be smtp:/)
})

test('FLORIN_MAIL_FROM is an address with or without a name', () => {
  const read = (from: string) =>
    readSettings({ FLORIN_SMTP_URL: 'smtp://mail.example', FLORIN_MAIL_FROM: from }).mailFrom
  for (const from of ['a@shop.example', 'Corner Coffee <a@shop.example>']) expect(read(from)).toBe(from)
  for (const from of ['shop', 'a@b\r\nBcc: c@d', 'A <a@shop.example> b', '<a b>']) {
    expect(() => read(from)).toThrow('FLORIN_MAIL_FROM must be an email address')
  }
})

test('settings that need each other are refused separately', () => {
  expect(() => readSettings({ FLORIN_SMTP_URL: 'smtp://mail.example' })).toThrow('must be set together')
  expect(() => readSettings(FROM)).toThrow('must be set together')
  for (const url of ['https://shop.example/hook', 'telegram://5']) {
    expect(() => readSettings({ FLORIN_NOTIFY_URL: url })).toThrow(
      'FLORIN_NOTIFY_SECRET_FILE must name a file',
    )
  }
  expect(readSettings({ FLORIN_NOTIFY_URL: 'ntfy+https://ntfy.sh/a' }).notifyUrl?.topic).toBe('a')
})

test('florin config shows no credentials, topics or chats', () => {
  const shown = (environment: Record<string, string>) =>
    showSettings(environment).find(({ name }) => name in environment)?.value
  expect(shown({ FLORIN_SMTP_URL: 'smtps://ann:secret@mail.example:465' })).toBe(
    'smtps://mail.example:465/***',
  )
  expect(shown({ FLORIN_NOTIFY_URL: 'ntfy+https://ntfy.sh/my-shop' })).toBe('ntfy+https://ntfy.sh/***')
  expect(shown({ FLORIN_NOTIFY_URL: 'https://shop.example/hook?key=secret' })).toBe(
    'https://shop.example/***',
  )
})
