import { expect, test } from 'bun:test'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { startApp } from '../support/app.ts'
import { suite } from '../support/suite.ts'

const { app, once, ownApp } = suite()
once(async () => {
  await createMerchant(app.context, { email: 'shop@example.com', name: 'Shop' })
})

const read = (path: string) => app.call('GET', path, { headers: { accept: 'text/html' } })

test('the page of the server describes it, and how to try it in the sandbox', async () => {
  const page = await read('/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.text).toContain('This server takes payments')
  expect(page.text).toContain('florin merchant create')
  expect(page.text).toContain('curl http://localhost/v1/orders')
})

test('a live server does not offer to simulate payments', async () => {
  await ownApp({ FLORIN_SANDBOX: 'false' })
  const page = await read('/')
  expect(page.text).toContain('This server takes payments')
  expect(page.text).not.toMatch(/curl|Sandbox/)
})

test('the icon is found where browsers look for it', async () => {
  const icon = await read('/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(icon.text).toStartWith('<svg ')
})

test('security.txt names the contact of the settings, and does not exist without one', async () => {
  expect((await read('/.well-known/security.txt')).status).toBe(404)
  await ownApp({ FLORIN_SECURITY_CONTACT: 'mailto:security@shop.example' })
  const found = await read('/.well-known/security.txt')
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(found.text).toContain('Contact: mailto:security@shop.example\n')
  const expires = Date.parse(/^Expires: (.*)$/m.exec(found.text)?.[1] ?? '')
  expect(expires).toBeGreaterThan(app.time.now)
})

test.each(['security@shop.example', 'http://shop.example/security', 'mailto:', 'mailto:a@b.example\nX: y'])(
  'FLORIN_SECURITY_CONTACT %p is refused',
  async contact => {
    await expect(startApp({ FLORIN_SECURITY_CONTACT: contact })).rejects.toThrow(/FLORIN_SECURITY_CONTACT/)
  },
)
