import { expect, test } from 'bun:test'
import { userInfo } from 'node:os'
import { newFolder } from '../support/process.ts'
import { runInProcess } from './in-process.ts'

const environment = { FLORIN_DATA_DIR: newFolder() }
const run = (...args: string[]) => runInProcess(environment, ...args)
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

test('audit list prints the changes of one merchant, newest first', async () => {
  const create = (email: string) => json('merchant', 'create', '--email', email, '--name', 'Corner Coffee')
  const { merchantId } = await create('shop@shop.example')
  await create('other@shop.example')
  const { keyId } = await json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  await json('merchant', 'set', merchantId, '--fee-percent', '2')
  await json('merchant', 'suspend', merchantId)
  const { items } = await json('audit', 'list', '--merchant', merchantId)
  expect(items.map(({ action }: { action: string }) => action)).toEqual([
    ...['merchant.suspended', 'merchant.changed', 'key.created', 'merchant.created'],
  ])
  expect(items[1]).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    actor: 'cli',
    action: 'merchant.changed',
    subject: 'merchant',
    before: { feePercent: '0' },
    after: { feePercent: '2' },
    requestId: null,
    client: userInfo().username,
    testKey: false,
  })
  expect(items[2].subject).toBe(`key:${keyId}`)
  const limited = await json('audit', 'list', '--merchant', merchantId, '--limit', '1')
  expect(limited).toEqual({ items: [items[0]] })
  const { stdout } = await run('audit', 'list', '--merchant', merchantId)
  expect(stdout).toContain('feePercent: "0" -> "2"')
})

test.each([
  ['sudo', { SUDO_USER: 'ann' }, 'ann'],
  ['doas', { DOAS_USER: 'ben' }, 'ben'],
  ['neither', {}, userInfo().username],
  ['a variable that is no login name', { SUDO_USER: 'a\nforged line' }, userInfo().username],
])('a change by a command records the name of the user: %s', async (_way, variables, client) => {
  const email = `${crypto.randomUUID()}@shop.example`
  const ran = await runInProcess(
    { ...environment, ...variables },
    ...['merchant', 'create', '--email', email, '--name', 'Ann', '--json'],
  )
  const merchant = JSON.parse(ran.stdout).merchantId
  const { items } = await json('audit', 'list', '--merchant', merchant)
  expect(items).toMatchObject([{ action: 'merchant.created', actor: 'cli', client }])
  const { stdout } = await run('audit', 'list', '--merchant', merchant)
  expect(stdout).toContain(`merchant.created of merchant by cli (${client})`)
})

test('audit list is refused for an unknown merchant and for a limit that is not a number', async () => {
  const { merchantId } = await json('merchant', 'create', '--email', 'a@shop.example', '--name', 'A')
  const nobody = await run('audit', 'list', '--merchant', '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55')
  expect([nobody.exitCode, nobody.stderr]).toEqual([1, expect.stringMatching(/[Nn]o merchant/)])
  for (const limit of ['0', 'many', '1.5', '10001']) {
    const ran = await run('audit', 'list', '--merchant', merchantId, '--limit', limit)
    expect([ran.exitCode, ran.stderr]).toEqual([1, expect.stringMatching(/limit/)])
  }
})
