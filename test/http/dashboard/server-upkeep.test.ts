import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunOwn } from '../../../src/boot/own-commands.ts'
import type { Environment } from '../../../src/settings/read.ts'
import { runInProcess } from '../../cli/in-process.ts'
import { isInFile } from '../../support/app.ts'
import { startWithMail } from '../../support/app-with-receiver.ts'
import { PASSWORD, type Person, signInAs } from '../../support/dashboard.ts'
import { newFolder } from '../../support/process.ts'
import { mailsTo } from '../../support/read-mail.ts'
import { suite } from '../../support/suite.ts'
import { until } from '../../support/until.ts'

const PATH = '/dashboard/server/backups'
const isFile = isInFile('PostgreSQL is backed up with tools of its own.')
const folder = join(newFolder(), 'backups')

/** The commands that the server ran. The next one waits for `gate`; `answer` simulates a broken one. */
const runs: string[][] = []
let gate = Promise.withResolvers<void>()
let answer: Awaited<ReturnType<RunOwn>> | null = null
const environment: Environment = {}

/** Runs commands in this process, which takes a hundredth of the time. */
const runOwn: RunOwn = async (args, given) => {
  runs.push([...args])
  await gate.promise
  if (answer) return answer
  const { exitCode, stdout, stderr } = await runInProcess(given as Record<string, string>, ...args)
  return { exitCode: exitCode ?? 1, output: stdout, errors: stderr }
}

async function start(more: Record<string, string> = {}) {
  const app = await startWithMail(
    { ...(isFile && { FLORIN_BACKUP_DIR: folder }), ...more },
    { runOwn, environment, metrics: async () => 'florin_orders_total 7\n' },
  )
  Object.assign(environment, { FLORIN_SANDBOX: 'true', ...app.forCommands })
  return {
    ...app,
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const { app, once, each, ownApp } = suite({ start })
const operator = once(() => signInAs(app, 'operator', null))
const other = once(() => signInAs(app, 'operator', null))
each(() => {
  runs.length = 0
  answer = null
  gate = Promise.withResolvers()
  gate.resolve()
})

const page = async (person: Person = operator, query = '') => (await person.get(`${PATH}${query}`)).text
const operatorAudit = () => app.context.storage.read(tables => tables.audit.list(null, 50))
const idle = () =>
  until(async () => (await app.context.upkeep.backups()).automatic?.job.since === null, 'the backup', 10_000)

if (isFile) {
  test('an operator has a backup made and restored in a trial, and reads the result', async () => {
    gate = Promise.withResolvers()
    expect(await page()).toContain('None yet')
    const { status, headers } = await operator.post(PATH, { trial: 'yes' })
    expect([status, headers.get('location')]).toEqual([303, PATH])
    const during = await page(other)
    expect(during).toContain('A backup has been running since')
    expect(during).toContain('hx-get="/dashboard/server/backups/part"')
    expect(during).not.toContain('Make a backup now')
    // The other operator has the page open.
    await other.post(PATH)
    gate.resolve()
    await idle()
    expect(runs).toEqual([['backup', '--trial']])
    const after = await page()
    expect(after).toContain('it could be restored, and it is complete')
    expect(after).toMatch(/florin-[\dT.-]+Z\.sqlite/)
    expect(after).not.toContain('hx-get')
    expect((await operatorAudit()).find(({ action }) => action === 'backup.requested')).toMatchObject({
      actor: `user:${operator.userId}`,
      after: { trial: true },
    })
    expect((await operator.get('/dashboard/server')).text).toContain('An operator had a backup made')
  })

  test('a backup is downloaded only with the password, and the other operators are notified', async () => {
    await operator.post(PATH)
    await idle()
    const download = (form = {}) => operator.post(`${PATH}/download`, form)
    for (const form of [{}, { proofPassword: 'wrong' }]) {
      const { status, text } = await download(form)
      expect([status, text.includes('SQLite format 3')]).toEqual([401, false])
    }
    const { status, headers, text } = await download({ proofPassword: PASSWORD })
    expect([status, text.slice(0, 15)]).toEqual([200, 'SQLite format 3'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="florin-[\dT.-]+Z\.sqlite"$/)
    expect(headers.get('cache-control')).toContain('no-store')
    const letters = () =>
      mailsTo(app.mail, other.email).filter(({ subject }) => subject.includes('downloaded'))
    await until(() => letters().length > 0, 'the mail', 10_000)
    const [letter] = letters()
    expect(letter!.text).toContain(`${operator.email} downloaded a backup`)
    expect(mailsTo(app.mail, operator.email).map(({ subject }) => subject)).not.toContain(letter!.subject)
    expect((await operatorAudit()).some(({ action }) => action === 'backup.downloaded')).toBe(true)
    // The command makes backups by the real clock, which is ahead of the server's clock here.
    writeFileSync(join(folder, 'florin-2020-01-01T033000.000Z.sqlite'), 'newest until now')
    expect((await download({ proofPassword: PASSWORD })).text).toBe('newest until now')
  })

  test('a failed backup is explained, or shown with the message of the program', async () => {
    answer = { exitCode: 1, output: '', errors: 'ENOSPC: no space left on device' }
    rmSync(folder, { recursive: true, force: true })
    await operator.post(PATH)
    await idle()
    const text = await page()
    expect(text).toContain('The last backup could not be made. The message of the program:')
    expect(text).toContain('ENOSPC: no space left on device')
    app.logged.length = 0
    await ownApp({ FLORIN_BACKUP_DIR: '/proc/no/folder' })
    const again = await signInAs(app, 'operator', null)
    await again.post(PATH)
    await idle()
    expect(await page(again)).toContain('The last backup could not be made: Cannot write to /proc/no/folder')
    expect(await page(again, '?lang=de')).toContain('In den Ordner lässt sich nicht schreiben.')
    app.logged.length = 0
  })

  test('without a folder for backups, the page names the missing setting, and no form has an effect', async () => {
    await ownApp({ FLORIN_BACKUP_DIR: '' })
    const person = await signInAs(app, 'operator', null)
    expect(await page(person)).toContain('FLORIN_BACKUP_DIR=/var/backups/florin')
    for (const form of ['', '/replica', '/download']) {
      const { status, text } = await person.post(`${PATH}${form}`, { proofPassword: PASSWORD })
      expect([status, text.includes('There is no backup here.')]).toEqual([409, true])
    }
    expect(runs).toEqual([])
  })
} else {
  test('an operator records that PostgreSQL was backed up', async () => {
    expect(await page()).toContain('None that Florin knows of')
    const { headers } = await operator.post(`${PATH}/record`)
    expect(headers.get('location')).toBe(`${PATH}?done=recorded`)
    expect(await page()).not.toContain('None that Florin knows of')
    expect((await operator.post(PATH)).status).toBe(409)
  })
}

test('the installation is checked on demand, once for two who ask together', async () => {
  const check = () => operator.post('/dashboard/server/check')
  const [first, second] = await Promise.all([check(), check()])
  expect([first!.status, second!.status, runs]).toEqual([200, 200, [['doctor', '--json']]])
  expect(first!.text).toContain('May be intended')
  expect(first!.text).toMatch(/\d+ checks are fine/)
  expect((await operator.get('/dashboard/server/check')).text).toContain('Check now')
})

test.each([
  ['says nothing that can be read', { exitCode: 1, output: 'oops', errors: 'Cannot open <the database>' }],
  ['ends without a word', { exitCode: 137, output: '', errors: '' }],
])('a check of the installation that %s is reported, with the output of the program', async (_, broken) => {
  answer = broken
  const { status, text } = await operator.post('/dashboard/server/check')
  expect([status, text.includes('Run florin doctor on the server.')]).toEqual([409, true])
  expect(text).toContain(broken.errors.replace('<', '&lt;').replace('>', '&gt;'))
})

test('the figures of the server are read in words, and as Prometheus reads them', async () => {
  const figures = (language: string) => operator.get(`/dashboard/server/figures?lang=${language}`)
  const { text } = await figures('en')
  expect(text).toMatch(/Memory of the process<\/dt><dd>[\d.,]+ [MG]B/)
  expect(text).toMatch(/Size of the database<\/dt><dd>[\d.,]+ [kM]B/)
  expect(text).toContain('FLORIN_METRICS=127.0.0.1:9464')
  expect((await figures('de')).text).toContain('Größe der Datenbank')
  await ownApp({ FLORIN_METRICS: '127.0.0.1:9464' })
  const person = await signInAs(app, 'operator', null)
  const served = (await person.get('/dashboard/server/figures')).text
  for (const part of ['http://127.0.0.1:9464/metrics', 'florin_orders_total 7'])
    expect(served).toContain(part)
})
