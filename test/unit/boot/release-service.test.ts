import { afterAll, expect, test } from 'bun:test'
import { boundedFetch } from '../../../src/boot/fetch.ts'
import { makeLog } from '../../../src/boot/log.ts'
import { realPlatform } from '../../../src/boot/platform.ts'
import { releaseServices } from '../../../src/boot/release-service.ts'
import { readSettings } from '../../../src/settings/read.ts'
import { newSigningKey, openReleaseServer } from '../../support/release-server.ts'

const HOUR_MS = 3600_000
const server = openReleaseServer()
afterAll(() => server.close())

const target = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const publish = (version: string, security: boolean) =>
  server.publish(newSigningKey(), version, '', { target, security })

test('no release list is requested unless the operator has switched it on', () => {
  const settings = readSettings({ FLORIN_RELEASES_URL: server.url })
  expect(releaseServices(settings, realPlatform(makeLog('silent')))).toEqual([])
  expect(() => readSettings({ FLORIN_UPDATE_CHECK: 'on' })).toThrow('FLORIN_RELEASES_URL must be set')
})

test('a release that repairs a security problem is found, with one request a day', async () => {
  const settings = readSettings({ FLORIN_RELEASES_URL: server.url, FLORIN_UPDATE_CHECK: 'on' })
  const warned: string[] = []
  let now = Date.UTC(2026, 10, 1)
  const log = { ...makeLog('silent'), warn: (_: object, event: string) => void warned.push(event) }
  const platform = { ...realPlatform(log), fetch: boundedFetch, now: () => now }
  const afterHours = (hours: number) => {
    now += hours * HOUR_MS
    return releaseServices(settings, platform, '1.0.0')[0]?.check()
  }
  expect(await afterHours(0)).toBeNull()
  publish('1.0.1', false)
  expect(await afterHours(25)).toBeNull()
  publish('1.0.2', true)
  publish('1.1.0', false)
  expect(await afterHours(23)).toBeNull()
  const found = { about: 'release_security', version: '1.1.0' } as const
  expect(await afterHours(2)).toEqual(found)
  // A list that cannot be read changes nothing.
  server.answers.set('/index.json', () => new Response('<html>'))
  expect(await afterHours(25)).toEqual(found)
  expect(await afterHours(1)).toEqual(found)
  expect([warned, server.requests.length]).toEqual([['releases.unreadable'], 4])
})
