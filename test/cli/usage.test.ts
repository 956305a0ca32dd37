import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { cleanEnvironment, endProcesses, FLORIN, runCli, SOURCE } from '../support/process.ts'
import { florinIn, mapConcurrently } from './commands.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const florin = florinHere()

/** Every command that does something, as a person types it. */
const namesOf = (command: Command, name: string): string[] =>
  command.commands.length === 0
    ? [name]
    : command.commands.flatMap(child => namesOf(child, `${name} ${child.name()}`.trim()))

const nobody = { environment: {}, print: () => {}, complain: () => {} }
const commands = namesOf(await program(new Cli(nobody)), '')

const wrong = [
  ...['', 'nonsense', 'merchant', 'merchant nonsense', 'merchant list --nonsense', 'merchant list more'],
  ...['merchant create --name N', 'merchant create --email a@shop.example', 'merchant create --email'],
  ...['merchant set', 'merchant suspend', 'merchant resume', 'key create --mode live'],
  ...['key create --merchant M', 'key list', 'key revoke', 'customer block --merchant M'],
  ...['customer unblock --email a@shop.example', 'order end'],
  ...['order force --order O --by W --reason because', 'order force --merchant M --by W --reason because'],
  ...['order force --merchant M --order O --reason because', 'order force --merchant M --order O --by W'],
  ...['sweep', 'report show', 'report export', 'report tax --merchant M --from 2026-03-01', 'invoice list'],
  ...['invoice show 2026-000001', 'wallet set --merchant M --network btc', 'wallet set --merchant M bc1'],
  ...['webhook set --merchant M', 'webhook set https://shop.example', 'webhook test'],
  ...['webhook add https://shop.example', 'webhook list', 'webhook remove --merchant M', 'webhook rotate'],
  ...['event list', 'event list --merchant M --type nonsense', 'event redeliver --merchant M'],
  ...['event redeliver --failed', 'sweep --asset ethereum/usdc', 'sweep --merchant M --nonsense'],
  ...['sweep --merchant M more', 'serve more', 'setup more', 'user code more', 'listen', 'trigger nonsense'],
  ...['conformance', 'version --nonsense --json'],
]

const words = (line: string) => line.split(' ').filter(word => word !== '')

describe('wrong usage', () => {
  test('ends with exit code 2, explains it on stderr, and changes nothing', async () => {
    const seen = await mapConcurrently(wrong, async line => {
      const { exitCode, stdout, stderr } = await florin.run(...words(line))
      return { line, exitCode, stdout, isExplained: /error|usage/i.test(stderr) && !/\n\s+at /.test(stderr) }
    })
    expect(seen).toEqual(wrong.map(line => ({ line, exitCode: 2, stdout: '', isExplained: true })))
    expect(existsSync(databaseFile(florin.dataDir))).toBe(false)
  })
})

describe('the commands of florin', () => {
  test('every command has --help, which lists its options', async () => {
    expect(commands).toContain('wallet pool')
    const seen = await mapConcurrently(commands, async line => {
      const { exitCode, stdout, stderr } = await florin.run(...words(line), '--help')
      return {
        line,
        exitCode,
        isHelp: stdout.includes(`florin ${line}`) && stdout.includes('--json'),
        stderr,
      }
    })
    expect(seen).toEqual(commands.map(line => ({ line, exitCode: 0, isHelp: true, stderr: '' })))
  })

  test('--help lists every command', async () => {
    const { exitCode, stdout } = await florin.run('--help')
    expect(exitCode).toBe(0)
    for (const name of new Set(commands.map(line => line.split(' ')[0]!))) expect(stdout).toContain(name)
  })

  test('version prints the version, as text and as JSON', async () => {
    const { version, commit } = await florin.json('version')
    expect(version).toMatch(/^\d+[.]\d+[.]\d+/)
    // Run from a checkout without a build, the program has no commit.
    expect(commit ?? '0123456789ab').toMatch(/^[0-9a-f]{12}([+]changes)?$/)
    const { stdout, exitCode } = await florin.run('version')
    expect([stdout.trim(), exitCode]).toEqual([`florin ${version}${commit ? ` (${commit})` : ''}`, 0])
  })
})

test('every command works in a process of its own', async () => {
  const florin = florinIn()
  const { merchantId } = await florin.merchant('shop@shop.example')
  const shop = `--merchant ${merchantId}`
  const lines = [
    `key create ${shop} --mode live`,
    `wallet sources ${shop}`,
    `customer block ${shop} --email thief@buyer.example`,
    `webhook set ${shop} https://shop.example/hooks`,
    `event list ${shop}`,
    `order list ${shop}`,
    `unmatched list ${shop}`,
    `sweep ${shop} --export`,
    `notification list ${shop}`,
    `audit list ${shop}`,
    'migrate',
    'config',
    'openapi',
    'version',
  ]
  const seen = await mapConcurrently(lines, async line => {
    const { exitCode, stdout, stderr } = await florin.run(...words(line), '--json')
    return {
      line,
      exitCode,
      stderr,
      isJson: typeof JSON.parse(stdout || 'null') === 'object' && stdout !== '',
    }
  })
  expect(seen).toEqual(lines.map(line => ({ line, exitCode: 0, stderr: '', isJson: true })))
  // The other commands are backup, restore, doctor, serve and demo: they have tests with processes elsewhere.
})

test('the source and the executable behave the same, but only the executable knows its commit', async () => {
  const lines = ['version --json', 'config', 'nonsense']
  const answers = (program: string[]) =>
    mapConcurrently(lines, async line => {
      const ran = await runCli(line.split(' '), {}, program)
      return { ...ran, stdout: ran.stdout.replace(/"commit":"[0-9a-f]{12}([+]changes)?"/, '"commit":null') }
    })
  expect(await answers(SOURCE)).toEqual(await answers(FLORIN))
})

test('a program that reads slowly gets the whole output of a command', async () => {
  // A pipe holds 64 KB, so the rest of the output has to wait.
  const line = `"$@" openapi --json | (sleep 0.3; cat)`
  const child = Bun.spawn(['sh', '-c', line, 'sh', ...FLORIN], { env: cleanEnvironment(), stdout: 'pipe' })
  expect(JSON.parse(await new Response(child.stdout).text()).openapi).toBe('3.1.0')
  expect(await child.exited).toBe(0)
})
