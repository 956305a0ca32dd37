import { afterEach, expect, test } from 'bun:test'
import { makeMail } from '../../src/outbound/mail.ts'
import type { Message } from '../../src/outbound/port.ts'
import { SmtpServer } from '../support/smtp-server.ts'
import { certify } from './servers.ts'

let server: SmtpServer
afterEach(() => server.stop())

const message = {
  id: '0199-1',
  subject: 'Grüße: 2 notifications',
  text: 'One.\n\n.\nTwo — ü',
  items: [],
  more: 0,
}

const send = (url: string, ca?: string, change: Partial<Message> = {}) => {
  const from = 'Florin <florin@shop.example>'
  const mail = makeMail({ url, from, ca, stepMs: 300, assertOutside: () => {} })
  return mail.send({ ...message, ...change }, { email: 'ann@shop.example' })
}

test('a mail arrives with its subject, text and a message ID that is the same for every try', async () => {
  server = await SmtpServer.start()
  expect(await send(`smtp://${server.host}`)).toBe(null)
  expect(await send(`smtp://${server.host}`)).toBe(null)
  const [mail, again] = server.received
  expect(mail).toMatchObject({ to: ['ann@shop.example'], isEncrypted: false, user: null })
  expect(mail?.from).toContain('florin@shop.example')
  expect(mail?.data).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(mail?.data).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(mail?.data).toMatch(/^Message-ID: <0199-1@shop.example>\r$/im)
  expect(again?.data).toMatch(/^Message-ID: <0199-1@shop.example>\r$/im)
  expect(mail?.data).toContain('Two')
})

test('a mail to a buyer has an HTML part, and answers go to the shop', async () => {
  server = await SmtpServer.start()
  const change = { html: '<p>One.</p>', replyTo: 'help@shop.example' }
  expect(await send(`smtp://${server.host}`, undefined, change)).toBe(null)
  const data = server.received[0]?.data
  expect(data).toMatch(/^Content-Type: multipart\/alternative;/m)
  expect(data).toContain('<p>One.</p>')
  expect(data).toMatch(/^Reply-To: help@shop.example\r$/m)
})

test('credentials are sent only over TLS', async () => {
  const tls = certify('localhost')
  server = await SmtpServer.start({ tls })
  const url = `smtp://ann:secret@localhost:${server.port}`
  expect(await send(url, tls.cert)).toBe(null)
  expect(server.received).toMatchObject([{ isEncrypted: true, user: 'ann' }])
  await server.stop()
  server = await SmtpServer.start()
  expect(await send(`smtp://ann:secret@localhost:${server.port}`)).toMatch(/STARTTLS|TLS/i)
  expect(server.received).toEqual([])
})

test('smtps:// is encrypted from the start', async () => {
  const tls = certify('localhost')
  server = await SmtpServer.start({ tls, secure: true })
  expect(await send(`smtps://localhost:${server.port}`, tls.cert)).toBe(null)
  expect(server.received).toMatchObject([{ isEncrypted: true }])
})

test('an untrusted certificate, or one for another name, is refused', async () => {
  server = await SmtpServer.start({ tls: certify('localhost'), secure: true })
  expect(await send(`smtps://localhost:${server.port}`)).toMatch(/certificate|self.signed|CERT/i)
  await server.stop()
  const tls = certify('mail.other.example')
  server = await SmtpServer.start({ tls, secure: true })
  expect(await send(`smtps://localhost:${server.port}`, tls.cert)).toMatch(/certificate|altname|ERR_TLS/i)
  expect(server.received).toEqual([])
})

test.each([
  ['a temporary refusal', { rcpt: '451 try again later' }, /451/],
  ['a permanent refusal', { data: '550 no such user' }, /550/],
  ['a wrong password', { auth: '535 wrong password' }, /535/],
  ['a server that is busy', { greeting: '421 busy' }, /421/],
  ['a connection that is closed', { mail: 'close' }, /./],
  ['an answer that is no SMTP', { ehlo: 'HTTP/1.1 200 OK' }, /./],
  ['an answer without an end', { mail: `550 ${'x'.repeat(100_000)}` }, /550/],
] as const)('%s is reported in one short line', async (_, reactions, words) => {
  const tls = certify('localhost')
  server = await SmtpServer.start({ tls })
  server.reactions = reactions
  const reason = await send(`smtp://ann:secret@localhost:${server.port}`, tls.cert)
  expect(reason).toMatch(words)
  expect(reason?.length).toBeLessThan(300)
  expect(reason).not.toMatch(/secret|\n/)
  expect(server.received).toEqual([])
})

test('a server that never answers is given up in time', async () => {
  server = await SmtpServer.start()
  server.reactions = { greeting: 'hang' }
  const startedAt = performance.now()
  expect(await send(`smtp://${server.host}`)).toMatch(/./)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})

test('a server that hangs later is given up as well', async () => {
  server = await SmtpServer.start()
  server.reactions = { data: 'hang' }
  const startedAt = performance.now()
  expect(await send(`smtp://${server.host}`)).toMatch(/./)
  expect(performance.now() - startedAt).toBeLessThan(3000)
})

test('a port without a listener is reported', async () => {
  server = await SmtpServer.start()
  const { host } = server
  await server.stop()
  expect(await send(`smtp://${host}`)).toMatch(/ECONN/)
  server = await SmtpServer.start()
})
