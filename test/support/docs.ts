import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Argument, Command } from 'commander'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { rolesRows } from './dashboard-roles.ts'
import { freePort } from './free-port.ts'

export const ROOT = join(import.meta.dir, '../..')
const SOURCE = join(ROOT, 'src/main.ts')

export const pageOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Runs a command of Florin without this machine's settings. Returns its JSON. */
async function florinJson<T>(...args: string[]): Promise<T> {
  const child = Bun.spawn([process.execPath, SOURCE, ...args, '--json'], { cwd: ROOT, env: {} })
  return JSON.parse(await new Response(child.stdout).text())
}

/** A row of a Markdown table. A pipe would end a cell, even inside code. */
const rowOf = (cells: string[]): string => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map(rowOf).join('\n')

interface Setting {
  name: string
  default: string
  meaning: string
}

export async function settingsTable(): Promise<string> {
  const settings = await florinJson<Setting[]>('config')
  const rows = settings.map(setting => [
    `\`${setting.name}\``,
    setting.default ? `\`${setting.default}\`` : 'empty',
    setting.meaning,
  ])
  return tableOf(['Name', 'Default', 'Meaning'], rows)
}

const argumentOf = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`

/** A command as a person types it, without the options that every command has. */
function usageOf(path: string, command: Command): string {
  const options = command.options.filter(({ long }) => long !== '--json' && long !== '--env-file')
  return [
    path,
    ...command.registeredArguments.map(argumentOf),
    ...options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
  ].join(' ')
}

function commandRows({ commands }: Command, before: string): string[][] {
  return commands.flatMap(command => {
    const path = `${before} ${command.name()}`
    if (command.commands.length > 0) return commandRows(command, path)
    return [[`\`${usageOf(path, command)}\``, command.description()]]
  })
}

export async function commandsTable(): Promise<string> {
  const ignore = () => {}
  const root = await program(new Cli({ environment: {}, print: ignore, complain: ignore }))
  return tableOf(['Command', 'Description'], commandRows(root, 'florin'))
}

interface Operation {
  summary: string
  security?: object[]
  'x-scope'?: string
  'x-live-key'?: boolean
  'x-test-key'?: boolean
  responses: Record<string, { 'x-codes'?: string[] }>
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { examples: Record<string, { value: { error: { code: string; message: string } } }> }
}

export const openApi = (): Promise<OpenApi> => florinJson<OpenApi>('openapi')

const operationsOf = ({ paths }: OpenApi): [method: string, path: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  )

function keyOf(operation: Operation): string {
  if (!operation.security?.length) return 'none'
  const scope = operation['x-scope'] ? `\`${operation['x-scope']}\`` : 'any scope'
  if (operation['x-test-key']) return `${scope}, test`
  return operation['x-live-key'] ? `${scope}, live` : scope
}

export function routesTable(document: OpenApi): string {
  const rows = operationsOf(document).map(([method, path, operation]) => [
    `\`${method} ${path}\``,
    keyOf(operation),
    operation.summary,
  ])
  return tableOf(['Request', 'API key', 'Description'], rows)
}

/** The tasks that each role may do in the dashboard. */
export const rolesTable = async (): Promise<string> =>
  tableOf(['What', 'Viewer', 'Staff', 'Owner', 'Operator'], await rolesRows())

/** Every error code that a route can answer with, by status. */
export function errorsTable(document: OpenApi): string {
  const answered = operationsOf(document).flatMap(([, , { responses }]) =>
    Object.entries(responses).flatMap(([status, response]) =>
      (response['x-codes'] ?? []).map((code): [status: string, code: string] => [status, code]),
    ),
  )
  const sorted = answered.sort(([a, one], [b, other]) => Number(a) - Number(b) || one.localeCompare(other))
  // A code with several statuses is listed under the lowest one, which is its usual status.
  const usual = new Map(sorted.toReversed().map(([status, code]) => [code, status]))
  const { examples } = document.components
  const rows = [...new Set(sorted.map(([, code]) => code))].map(code => [
    usual.get(code) ?? '',
    `\`${code}\``,
    examples[code]?.value.error.message ?? '',
  ])
  return tableOf(['Status', 'Code', 'Message'], rows)
}

/** The generated table between the two comments with this name. UPDATE_DOCS=1 first writes it there. */
export function keptTable(path: string, name: string, generated: string): string {
  const page = pageOf(path)
  const start = `<!-- ${name}: generated by UPDATE_DOCS=1 npx bun test test/docs.test.ts -->\n\n`
  const end = `\n\n<!-- end of ${name} -->`
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${path} has no table named ${name}`)
  const [before, after] = [page.slice(0, from + start.length), page.slice(to)]
  if (process.env.UPDATE_DOCS !== '1') return page.slice(from + start.length, to)
  writeFileSync(join(ROOT, path), before + generated + after)
  return generated
}

export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(match => match[1] === language)
    .map(match => match[2] ?? '')

/** Pastes commands into an empty shell, in an empty folder with a built executable. Returns the output. */
export async function paste(commands: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-docs-'))
  const port = String(freePort())
  mkdirSync(join(folder, 'dist'))
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${SOURCE}' "$@"\n`
  writeFileSync(join(folder, 'dist/florin'), launcher, { mode: 0o755 })
  const script = ["trap 'kill $! 2>/dev/null' EXIT", 'set -e', commands.replaceAll('3000', port)].join('\n')
  const child = Bun.spawn(['sh', '-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, FLORIN_PORT: port },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { exitCode: await child.exited, stdout, stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
