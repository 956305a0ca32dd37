import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { summaryOf } from './commands.ts'
import { runInProcess } from './in-process.ts'

const fileOf = (content: string): string => {
  const file = join(newFolder(), 'florin.env')
  writeFileSync(file, content)
  return file
}
const create = ['merchant', 'create', '--email', 'a@shop.example', '--name', 'A']

test('every command reads settings from --env-file or FLORIN_ENV_FILE', async () => {
  const dataDir = join(newFolder(), 'data')
  const file = fileOf(`# the shop\n\nexport FLORIN_DATA_DIR="${dataDir}"\r\nFLORIN_PORT='4711'\n`)
  expect((await runInProcess({}, ...create, '--env-file', file)).exitCode).toBe(0)
  expect(existsSync(databaseFile(dataDir))).toBe(true)
  const list = await runInProcess({ FLORIN_ENV_FILE: file }, 'merchant', 'list')
  expect(list.stdout).toContain('a@shop.example')
  const shown = JSON.parse((await runInProcess({}, 'config', '--json', '--env-file', file)).stdout)
  expect(shown).toContainEqual(expect.objectContaining({ name: 'FLORIN_PORT', value: '4711' }))
})

test('the environment wins over the file', async () => {
  const file = fileOf('FLORIN_PORT=4711\nFLORIN_HOST=127.0.0.2\n')
  const ran = await runInProcess({ FLORIN_PORT: '80' }, 'config', '--json', '--env-file', file)
  const shown = JSON.parse(ran.stdout)
  expect(shown).toContainEqual(expect.objectContaining({ name: 'FLORIN_PORT', value: '80' }))
  expect(shown).toContainEqual(expect.objectContaining({ name: 'FLORIN_HOST', value: '127.0.0.2' }))
})

test.each([
  ['a file that is missing', '/nowhere/florin.env', /Cannot read the settings file .*ENOENT/],
  ['a line that sets nothing', fileOf('FLORIN_PORT=1\ns3cret'), /^Line 2 of .* NAME=value/],
  ['a wrong value', fileOf('FLORIN_PORT=many'), /FLORIN_PORT must be a port/],
])('%s is refused, and no value is printed', async (_, file, words) => {
  const ran = await runInProcess({}, 'config', '--env-file', file)
  expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
  expect(ran.stderr).toMatch(words)
  expect(ran.stderr).not.toContain('s3cret')
})
