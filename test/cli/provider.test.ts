import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysOf, type PayPalApp, startPayPalApp } from '../http/paypals.ts'
import { newFolder } from '../support/process.ts'
import { florinHere } from './in-process.ts'

let app: PayPalApp
let front: Bun.Server<undefined>
let florin: ReturnType<typeof florinHere>
let own: string[]

beforeAll(async () => {
  app = await startPayPalApp()
  front = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => app.florin.http.handle(request) })
  const url = `http://127.0.0.1:${front.port}/sandbox/paypal`
  florin = florinHere(newFolder(), { FLORIN_SANDBOX: 'true', FLORIN_PAYPAL_URL: url })
  const { merchantId } = await florin.merchant('shop@shop.example')
  own = ['--merchant', merchantId, '--provider', 'paypal']
})
afterAll(async () => {
  await front.stop(true)
  await app.close()
})

function fileWith(...lines: string[]): string {
  const file = join(newFolder(), 'key')
  writeFileSync(file, lines.join('\n'))
  return file
}

describe('provider', () => {
  test('connects PayPal with two lines of input, and tests, lists and removes the account', async () => {
    const { clientId, key } = keysOf('A123456789012')
    const account = { provider: 'paypal', account: 'A123456789012', mode: 'test', webhook: 'made' }
    const set = await florin.json('provider', 'set', ...own, '--key-file', fileWith(clientId, key))
    expect(set).toMatchObject({ ...account, name: 'a123456789012@business.example' })
    expect(await florin.json('provider', 'test', ...own)).toMatchObject(account)
    const [option = '', merchantId = ''] = own
    const { items } = await florin.json('provider', 'list', option, merchantId)
    expect(items).toMatchObject([account])
    expect(JSON.stringify(items)).not.toContain(key)
    expect(await florin.json('provider', 'remove', ...own)).toEqual({
      ...{ provider: 'paypal', removed: true },
      ...{ closed: 0, open: [] },
    })
  })

  test('refuses a secret without its client ID, and one that PayPal does not know', () =>
    florin.refuses([
      ['one line', ['provider', 'set', ...own, '--key-file', fileWith('x'.repeat(40))], /client ID, then/],
      [
        'revoked',
        ['provider', 'set', ...own, '--key-file', fileWith('A'.repeat(40), 'revoked'.repeat(4))],
        /key_refused/,
      ],
    ]))
})
