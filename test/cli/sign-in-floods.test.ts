import { afterAll, expect, test } from 'bun:test'
import { PASSWORD } from '../support/dashboard.ts'
import { endProcesses, FLORIN, type RunningProcess, startProcess } from '../support/process.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const EMAIL = 'owner@shop.example'
/** More than can hash passwords, or wait to do so, at the same time. */
const STRANGERS = 24
const ROUNDS = 5

const cookiesOf = (answer: { headers: Headers }): string =>
  answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')

test('a known browser signs in while strangers from many networks try passwords without a pause', async () => {
  const florin = florinHere()
  const { merchantId } = await florin.merchant(EMAIL)
  const settings = {
    FLORIN_DATA_DIR: florin.dataDir,
    FLORIN_SANDBOX: 'true',
    FLORIN_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  }
  const server: RunningProcess = await startProcess(FLORIN, ['serve'], settings)
  const send = (path: string, address: string, form: Record<string, string>, cookie = '') =>
    server.call('POST', path, {
      form,
      headers: {
        origin: server.url,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': address,
        ...(cookie && { cookie }),
      },
    })
  const signIn = (address: string, password: string, cookie?: string) =>
    send('/dashboard/sign-in', address, { email: EMAIL, password }, cookie)

  const { link } = await florin.json('user', 'create', '--email', EMAIL, '--merchant', merchantId)
  const first = await send(new URL(link).pathname, '203.0.113.1', { password: PASSWORD })
  expect(first.status).toBe(303)
  const browser = cookiesOf(first)
    .split('; ')
    .find(cookie => cookie.startsWith('florin_browser='))!

  let isOver = false
  const statuses = new Map<number, number>()
  const strangers = Array.from({ length: STRANGERS }, async (_, stranger) => {
    for (let at = 0; !isOver; at++) {
      const { status } = await signIn(`198.${stranger}.${at % 250}.7`, `wrong password ${at}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await signIn('203.0.113.1', PASSWORD, browser)
    expect([round, answer.status]).toEqual([round, 303])
  }
  isOver = true
  await Promise.all(strangers)
  expect([...statuses.keys()].sort()).toEqual([401, 429])
}, 120_000)
