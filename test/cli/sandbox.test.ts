import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoFolder } from '../support/demo.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { snapshotOf, summaryOf } from './commands.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const modes = {
  live: { FLORIN_SANDBOX: 'false' },
  sandbox: { FLORIN_SANDBOX: 'true' },
}
const pairs = [
  { first: 'live', other: 'sandbox', words: /is a live database.*Unset FLORIN_SANDBOX.*FLORIN_DATA_DIR/ },
  {
    first: 'sandbox',
    other: 'live',
    words: /is a database of the sandbox.*FLORIN_SANDBOX=true.*FLORIN_DATA_DIR/,
  },
] as const

/** A data directory that a server in this mode has used. */
async function usedBy(mode: keyof typeof modes) {
  const florin = florinHere()
  const { merchantId } = await florin.merchant('shop@shop.example')
  const settings = { ...modes[mode], FLORIN_DATA_DIR: florin.dataDir }
  await (await startProcess(FLORIN, ['serve'], settings)).stop()
  return { ...florin, merchantId }
}

describe.each(pairs)('a database that a $first server has used', ({ first, other, words }) => {
  test(`refuses a ${other} server, which changes nothing`, async () => {
    const { dataDir } = await usedBy(first)
    const before = [snapshotOf(dataDir), readdirSync(dataDir).sort()]
    const ran = await florinHere(dataDir, { ...modes[other], FLORIN_PORT: '0' }).run('serve')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toMatch(words)
    expect([snapshotOf(dataDir), readdirSync(dataDir).sort()]).toEqual(before)
    await (await startProcess(FLORIN, ['serve'], { ...modes[first], FLORIN_DATA_DIR: dataDir })).stop()
  })

  test(`accepts other commands with the ${other} setting`, async () => {
    const { dataDir, merchantId } = await usedBy(first)
    const florin = florinHere(dataDir, modes[other])
    await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
    expect(await florin.json('merchant', 'list')).toMatchObject({ items: [{ merchantId }] })
    await florin.json('backup', join(newFolder(), 'backup.sqlite'))
  })

  test('keeps its mode after a restore', async () => {
    const used = await usedBy(first)
    const backup = join(newFolder(), 'backup.sqlite')
    await used.json('backup', backup)
    const florin = florinHere(newFolder(), { ...modes[other], FLORIN_PORT: '0' })
    await florin.json('restore', backup)
    const ran = await florin.run('serve')
    expect([ran.exitCode, words.test(ran.stderr)]).toEqual([1, true])
  })

  test(`is a problem for doctor only with the ${other} setting`, async () => {
    const { dataDir } = await usedBy(first)
    const findingOf = async (environment: Record<string, string>) => {
      const { stdout } = await florinHere(dataDir, environment).run('doctor', '--json')
      const { findings } = JSON.parse(stdout)
      return findings.find(({ check }: { check: string }) => check === 'sandbox')
    }
    expect(await findingOf(modes[first])).toMatchObject({ ok: true })
    expect(await findingOf(modes[other])).toMatchObject({ ok: false, severity: 'fault' })
  })
})

describe('the sandbox', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'shop.example'])(
    'does not listen on %s, where other machines reach it',
    async FLORIN_HOST => {
      for (const command of ['serve', 'demo']) {
        const florin = florinHere(newFolder(), { FLORIN_SANDBOX: 'true', FLORIN_HOST, FLORIN_PORT: '0' })
        const ran = await florin.run(command)
        expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
        expect(ran.stderr).toMatch(/FLORIN_HOST must be .*FLORIN_SANDBOX=public/)
      }
    },
  )

  test('does not listen beyond this machine, nor does a demo', async () => {
    const florin = florinHere(newFolder(), { FLORIN_HOST: '0.0.0.0', FLORIN_PORT: '0' })
    const ran = await florin.run('demo')
    expect([ran.exitCode, /FLORIN_SANDBOX=public/.test(ran.stderr)]).toEqual([1, true])
  })

  test.each(['127.0.0.1', '127.0.0.2', 'localhost'])('listens on %s', async FLORIN_HOST => {
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_SANDBOX: 'true', FLORIN_HOST })
    expect([server.output.sandbox, (await server.call('GET', '/sandbox/rates')).status]).toEqual([true, 200])
    await server.stop()
  })

  test('keeps its state in files that only their owner can read, also files of an earlier version', async () => {
    const dataDir = newFolder()
    const file = join(dataDir, 'sandbox.sqlite')
    writeFileSync(file, '', { mode: 0o644 })
    const server = await startProcess(FLORIN, ['serve'], { ...modes.sandbox, FLORIN_DATA_DIR: dataDir })
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 1 } })
    const files = readdirSync(dataDir)
    expect(files).toContain('sandbox.sqlite-wal')
    expect(files.filter(name => statSync(join(dataDir, name)).mode & 0o077)).toEqual([])
    await server.stop()
  })

  test.each(['serve', 'demo'])('listens anywhere after FLORIN_SANDBOX=public, as %s', async command => {
    const FLORIN_DATA_DIR = await (command === 'demo' ? demoFolder() : newFolder())
    const environment = { FLORIN_SANDBOX: 'public', FLORIN_HOST: '0.0.0.0', FLORIN_DATA_DIR }
    const server = await startProcess(FLORIN, [command], environment)
    expect((await server.call('GET', '/sandbox/rates')).status).toBe(200)
    await server.stop()
  })
})
