import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Cli } from '../src/cli/cli.ts'
import { program } from '../src/cli/program.ts'
import { showSettings } from '../src/settings/read.ts'

const readme = readFileSync('README.md', 'utf8')

function codeOf(language: string): string {
  const code = readme.split('```').find(part => part.startsWith(`${language}\n`))
  if (!code) throw new Error(`the README has no code in ${language}`)
  return code.slice(language.length + 1)
}

test('every setting stands in the README as `florin config` tells it', () => {
  const rows = showSettings({}).map(
    setting =>
      `| \`${setting.name}\` | ${setting.default ? `\`${setting.default}\`` : 'empty'} | ${setting.meaning} |`,
  )
  expect(rows.filter(row => !readme.includes(row))).toEqual([])
})

test('every command stands in the README', () => {
  const nothing = () => {}
  const paths = ({ commands }: Command, before: string): string[] =>
    commands.flatMap(command => {
      const path = `${before} ${command.name()}`
      return command.commands.length > 0 ? paths(command, path) : [path]
    })
  const all = paths(program(new Cli({ environment: {}, print: nothing, complain: nothing })), 'florin')
  expect(all.filter(path => !readme.includes(`\`${path}`))).toEqual([])
})

const secret = 'a secret of nobody'
const body = '{"type":"order.paid","name":"Zoë"}'
const seconds = String(Math.floor(Date.now() / 1000))
const sign = (timestamp: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

const deliveries: [what: string, timestamp: string, signature: string, isGood: boolean][] = [
  ['a wrong signature', seconds, sign('1'), false],
  ['no signature', seconds, '', false],
  ['an old timestamp', '1000000000', sign('1000000000'), false],
  ['a good signature', seconds, sign(seconds), true],
]

test.each(deliveries)('the code of the README judges %s', async (_, timestamp, signature, isGood) => {
  const file = join(mkdtempSync(join(tmpdir(), 'florin-readme-')), 'verify.mjs')
  writeFileSync(file, codeOf('js'))
  const { isFromFlorin } = await import(file)
  const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
  expect(isFromFlorin(headers, body, secret)).toBe(isGood)
})
