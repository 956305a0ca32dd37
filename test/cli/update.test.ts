import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { parsePublicKey } from '../../src/updates/minisign.ts'
import { rollBack, update } from '../../src/updates/update.ts'
import { type Behaviour, fakeFlorin } from '../support/fake-executables.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { newSigningKey } from '../support/release-server.ts'
import { installations } from '../support/updating.ts'
import { florinHere } from './in-process.ts'

const given = newFolder()
const installed = installations(() => given)
beforeAll(() => florinHere(given).merchant('shop@shop.example'))
afterAll(async () => {
  installed.end()
  await endProcesses()
})

const signing = newSigningKey()
const key = parsePublicKey(signing.line)
type Installed = Awaited<ReturnType<typeof installed.make>>

const publish = (one: Installed, version: string, behaviour: Behaviour = {}) =>
  one.releases.publish(signing, version, fakeFlorin(one.state, version, behaviour))

/** A short limit for versions that do not become ready. */
const soon = { readyMs: 400 }

const lastMigration = (dataDir: string) => {
  const database = new Database(databaseFile(dataDir))
  const [row] = database.query('SELECT max(name) FROM migrations').values()
  database.close()
  return String(row?.[0])
}

async function refused(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return 'it was not refused'
}

describe.if(process.platform === 'linux')('florin update', () => {
  test('tries the release on a copy, installs it, restarts the server and waits until it is ready', async () => {
    const one = await installed.make()
    publish(one, '1.1.0')
    publish(one, '1.0.1')
    const lines: string[] = []
    const updated = await update(await one.parts({ say: line => lines.push(line) }), key)
    const backup = join(one.dataDir, 'florin.before-update.sqlite')
    expect(updated).toEqual({ from: '1.0.0', to: '1.1.0', backup, isReady: true })
    expect([one.version(), one.isReady(), existsSync(backup)]).toEqual(['1.1.0', true, true])
    expect(one.files()).toEqual(['florin', 'florin.previous'])
    expect(lines.join('\n')).toContain(`Backed up the database to ${backup}`)
    expect(one.calls().indexOf('1.1.0 update')).toBeLessThan(one.calls().indexOf('systemctl restart'))
    // Only the server opens the database.
    expect(one.calls()).not.toContain('migrate')
  })

  test('installs the release without systemd, and leaves the restart to the operator', async () => {
    const one = await installed.make({ isRunning: false })
    publish(one, '1.1.0')
    expect(await update(await one.parts({ hasUnit: false }), key)).toMatchObject({
      to: '1.1.0',
      isReady: false,
    })
    expect([one.version(), one.files()]).toEqual(['1.1.0', ['florin', 'florin.previous']])
    expect(await rollBack(await one.parts({ hasUnit: false }))).toMatchObject({ from: '1.1.0', to: '1.0.0' })
    expect([one.version(), one.files()]).toEqual(['1.0.0', ['florin']])
    expect(await refused(rollBack(await one.parts()))).toMatch(/no previous version/)
  })

  test.each<[string, Behaviour]>([
    ['ends when it starts', { start: 'crashes' }],
    ['hangs', { start: 'hangs' }],
    ['ends right after it was ready', { start: 'crashes later' }],
    ['migrates the database and ends', { start: 'migrates' }],
  ])('puts the former version back if the new one %s', async (_, behaviour) => {
    const one = await installed.make({ migrates: behaviour.start === 'migrates' })
    const before = lastMigration(one.dataDir)
    publish(one, '1.1.0', behaviour)
    const message = await refused(update(await one.parts(soon), key))
    expect(message).toMatch(
      /^Florin 1[.]1[.]0 was not ready within \d+ s, so 1[.]0[.]0 is installed again and ready/,
    )
    expect([one.version(), one.files(), one.isReady()]).toEqual(['1.0.0', ['florin'], true])
    expect(lastMigration(one.dataDir)).toBe(before)
    const replaced = readdirSync(one.dataDir).filter(name => name.includes('.replaced-'))
    expect(replaced.length).toBe(behaviour.start === 'migrates' ? 1 : 0)
  })

  test('keeps a new version that wrote to the database it migrated, and reports that', async () => {
    const one = await installed.make({ migrates: true })
    publish(one, '1.1.0', { start: 'writes' })
    const message = await refused(update(await one.parts(soon), key))
    expect(message).toMatch(/^The previous version cannot use the database .*nothing was put back/)
    expect([one.version(), lastMigration(one.dataDir)]).toEqual(['1.1.0', '9001_later'])
    // Rolling back by hand is refused too.
    expect(await refused(rollBack(await one.parts()))).toMatch(/nothing was put back/)
    expect([one.version(), lastMigration(one.dataDir)]).toEqual(['1.1.0', '9001_later'])
  })

  test('does not install a release that cannot use a copy of the database', async () => {
    const one = await installed.make()
    publish(one, '1.1.0', { trial: 'fails' })
    const message = await refused(update(await one.parts(), key))
    expect(message).toMatch(/cannot use a copy of the database, so it was not installed: the trial failed/)
    expect([one.version(), one.files(), one.isReady()]).toEqual(['1.0.0', ['florin'], true])
    expect(one.calls()).not.toContain('systemctl restart')
  })

  test('rolls back by hand, and not twice', async () => {
    const one = await installed.make()
    publish(one, '1.1.0')
    await update(await one.parts(), key)
    expect(await rollBack(await one.parts())).toMatchObject({ from: '1.1.0', to: '1.0.0', isReady: true })
    expect([one.version(), one.files(), one.isReady()]).toEqual(['1.0.0', ['florin'], true])
    expect(await refused(rollBack(await one.parts()))).toMatch(/no previous version/)
  })

  test('is refused while another update runs', async () => {
    const one = await installed.make()
    publish(one, '1.1.0')
    const both = await Promise.allSettled([update(await one.parts(), key), update(await one.parts(), key)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(one.version()).toBe('1.1.0')
  })

  test('reads the settings of the unit', async () => {
    const one = await installed.make()
    const { unit } = await one.parts()
    expect(unit?.settings).toEqual({
      files: [join(one.state, 'florin.env')],
      values: { FLORIN_LOG_LEVEL: 'warn', FLORIN_SECURITY_CONTACT: 'mailto:a@shop.example' },
      folder: '/',
    })
  })
})

/** The start of the new version, the line that the update prints, and the version installed then. */
const steps: [start: Behaviour['start'], line: RegExp, then: string][] = [
  ['is ready', /^Downloading/, '1.0.0'],
  ['is ready', /^Backed up/, '1.0.0'],
  ['is ready', /^Trying/, '1.0.0'],
  ['is ready', /^Installing/, '1.0.0'],
  ['is ready', /^Restarting/, '1.1.0'],
  ['hangs', /^Florin 1.1.0 is not ready/, '1.1.0'],
  ['hangs', /^Starting Florin 1.0.0/, '1.0.0'],
]

describe.if(process.platform === 'linux')('a power failure', () => {
  test.each(steps)(
    'during an update to a version that %s, before %p, leaves an executable, and the next update continues',
    async (start, line, then) => {
      const one = await installed.make()
      publish(one, '1.1.0', { start: start! })
      const { folder, executable, dataDir, state, readyUrl } = one
      const given = { folder, executable, dataDir, state, readyUrl }
      const child = Bun.spawn([process.execPath, join(import.meta.dir, '../support/updating-child.ts')], {
        env: {
          ...process.env,
          UPDATING: JSON.stringify({
            given,
            releases: one.releases.url,
            key: signing.line,
            line: line.source,
          }),
        },
      })
      await child.exited
      expect([child.signalCode, one.version()]).toEqual(['SIGKILL', then])
      const { exitCode } = Bun.spawnSync([executable, 'version'])
      expect(exitCode).toBe(0)
      const end = await update(await one.parts(start === 'hangs' ? soon : {}), key).catch(
        (error: Error) => error.message,
      )
      if (start === 'hangs') expect(end).toMatch(/so 1[.]0[.]0 is installed again and ready/)
      else expect(end).toMatchObject({ to: '1.1.0', isReady: true })
      expect([one.version(), one.isReady()]).toEqual([start === 'hangs' ? '1.0.0' : '1.1.0', true])
      expect(one.files()).toEqual(start === 'hangs' ? ['florin'] : ['florin', 'florin.previous'])
      expect(readFileSync(executable, 'utf8')).toContain('#!/bin/sh')
    },
  )
})
