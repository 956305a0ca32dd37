import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { secretsOf } from '../../src/boot/secrets.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { MAIL_ROW } from '../../src/domain/mail-server.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { runInProcess } from './in-process.ts'

const node = Bun.serve({
  port: 0,
  async fetch(request) {
    const calls = [await request.json()].flat() as { id: number }[]
    const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
    return Response.json(answers.length === 1 ? answers[0] : answers)
  },
})
const host = `127.0.0.1:${node.port}`
const settings = { FLORIN_DATA_DIR: join(newFolder(), 'data'), FLORIN_OUTBOUND_ALLOW: host }

beforeAll(async () => {
  await runInProcess(settings, 'merchant', 'create', '--email', 'a@shop.example', '--name', 'Shop')
  const storage = openStorage(databaseFile(settings.FLORIN_DATA_DIR), Date.now())
  const secrets = secretsOf(join(settings.FLORIN_DATA_DIR, 'secrets.key'))
  const row = { protocol: 'jsonrpc', header: { name: 'x-api-key', value: 'S3CRET' }, createdAt: 1 }
  await storage.write(async tables => {
    const base = { ...row, chain: 'base', url: `http://${host}/S3CRET` }
    await tables.chosenEndpoints.put({ ...base, id: 'a', position: 1 })
    await tables.chosenEndpoints.put({ ...base, id: 'b', position: 2, url: 'https://10.0.0.1/S3CRET' })
    await tables.chosenEndpoints.put({ ...base, id: 'c', position: 1, chain: 'polygon' })
    await tables.chosenRateSources.add('kraken', 1)
    await tables.chosenMailServers.put({
      ...{ id: 'mail', host: 'mail.example', port: 465, security: 'tls', userName: 'ann' },
      ...{ password: secrets.seal('S3CRET', MAIL_ROW), sender: 'ann@mail.example', updatedAt: 1 },
    })
  })
  await storage.close()
})
afterAll(() => node.stop(true))

const FLORIN_POLYGON_URL = 'https://polygon.example/S3CRET'

test('config names the origin of each setting, and masks endpoints that were chosen in the dashboard', async () => {
  const ran = await runInProcess({ ...settings, FLORIN_POLYGON_URL }, 'config', '--json')
  const shown = JSON.parse(ran.stdout) as { name: string; value: string; origin: string }[]
  const of = (name: string) => {
    const found = shown.find(one => one.name === name)
    return [found?.origin, found?.value]
  }
  expect(of('FLORIN_BASE_URL')).toEqual([
    'dashboard',
    `jsonrpc+http://${host}/***,jsonrpc+https://10.0.0.1/***`,
  ])
  expect(of('FLORIN_RATES')).toEqual(['dashboard', 'kraken'])
  expect(of('FLORIN_SMTP_URL')).toEqual(['dashboard', 'smtps://mail.example:465/***'])
  expect(of('FLORIN_MAIL_FROM')).toEqual(['dashboard', 'ann@mail.example'])
  expect(of('FLORIN_POLYGON_URL')).toEqual(['environment', 'https://polygon.example/***'])
  expect(of('FLORIN_PORT')).toEqual(['default', '3000'])
  expect(ran.stdout).not.toContain('S3CRET')
  const { stdout } = await runInProcess(settings, 'config')
  expect(stdout).toContain('FLORIN_RATES=kraken (chosen in the dashboard, default empty)')
})

test('doctor checks endpoints that were chosen in the dashboard, and says that they come from there', async () => {
  const ran = await runInProcess({ ...settings, FLORIN_KRAKEN_URL: 'http://127.0.0.1:1' }, 'doctor', '--json')
  const { findings } = JSON.parse(ran.stdout) as { findings: Finding[] }
  const of = (check: string) => findings.find(one => one.check === check)
  expect(of(`endpoint ${host} of base (chosen in the dashboard)`)?.message).toContain('serves chain 1')
  expect(of('endpoint 10.0.0.1 of base (chosen in the dashboard)')?.message).toContain('private network')
  expect(of('rates of kraken')?.remedy).toContain('choose another one in the dashboard')
  expect(of('rates')?.remedy).toContain('in the dashboard')
  expect(ran.stdout).not.toContain('S3CRET')
}, 30_000)
