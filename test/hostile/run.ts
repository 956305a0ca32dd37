// Endpoints that lie: serves them, or tests a payments server with them. npm run hostile-upstream -- --help
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Family, families } from '../simulation/lies.ts'
import { endProcesses } from '../support/process.ts'
import { type Outcome, runBattery } from './battery.ts'
import { serveControl } from './control.ts'
import { HONEST, liarNamed, liarsOf } from './liars.ts'
import { Stand } from './stand.ts'
import type { StartSubject } from './subject.ts'
import { settings } from './trial.ts'

const HELP = `npm run hostile-upstream -- serve --family FAMILY   serves a small chain: an endpoint that lies, and an honest one
    --lie NAME          honest until it is changed (default)
    --host HOST         127.0.0.1
    --port PORT         of the lying endpoint; the honest one has the next port, the control API the one after it
    --block-ms MS       time between blocks, as on the real chain by default; 0 to mine only over the control API
npm run hostile-upstream -- run                        tries a payments server with them
    --family FAMILY     all by default; or several, separated by commas
    --lie NAMES         all by default; or several, separated by commas
    --setting NAME      alone or beside; both by default
    --subject FILE      a module that starts the server: test/hostile/florin.ts by default
    --patience SECONDS  within which a payment must be found beside an honest endpoint (1740, before its lock ends)
    --health-ms MS      within which the server must say that it is well (2000)
    --memory-mb MB      by which its memory may grow (300)
    --json              the report as JSON
npm run hostile-upstream -- list                       all lies
Families: ${families.join(', ')}.
`

const SECOND_MS = 1000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    family: { type: 'string' },
    lie: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    'block-ms': { type: 'string' },
    setting: { type: 'string' },
    subject: { type: 'string', default: 'test/hostile/florin.ts' },
    patience: { type: 'string', default: '1740' },
    'health-ms': { type: 'string', default: '2000' },
    'memory-mb': { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

class UsageError extends Error {}

function chosenFamilies(): Family[] {
  const names = values.family?.split(',') ?? [...families]
  return names.map(name => {
    const family = families.find(one => one === name)
    if (!family) throw new UsageError(`There is no family "${name}". Use one of: ${families.join(', ')}.`)
    return family
  })
}

function numberOf(name: 'port' | 'block-ms' | 'patience' | 'health-ms' | 'memory-mb'): number {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} must be a number.`)
  return value
}

async function serve(): Promise<never> {
  const [family, ...others] = chosenFamilies()
  if (!family || others.length > 0) throw new UsageError('Choose one family with --family.')
  const [hostname, port] = [values.host, numberOf('port')]
  const stand = new Stand(family, { hostname, port })
  stand.lieLike(values.lie ?? HONEST)
  if (values['block-ms'] === undefined) stand.mineEvery()
  else if (numberOf('block-ms') > 0) stand.mineEvery(numberOf('block-ms'))
  const control = serveControl(stand, { hostname, port: port === 0 ? 0 : port + 2 })
  print(`lying endpoint   ${stand.liar.url}   ${stand.lie}; Florin: ${stand.settingOf(stand.liar)}`)
  print(`honest endpoint  ${stand.honest.url}   Florin: ${stand.settingOf(stand.honest)}`)
  print(`control          ${control.url}   GET / shows the state and the lies`)
  return new Promise(() => {})
}

function list(): void {
  for (const family of chosenFamilies()) {
    print(`${family}:`)
    for (const { name, what } of liarsOf(family)) print(`    ${name.padEnd(12)} ${what}`)
  }
}

function report(outcomes: Outcome[]): void {
  for (const { setting, families: own, trials, faults, slowestHealthMs, grownMb } of outcomes) {
    const held = trials.filter(trial => trial.faults.length === 0).length
    const grown = grownMb === null ? '' : `; its memory grew by ${grownMb} MB at most`
    print(
      `\n${own.join(', ')}, with lying endpoints ${setting}: ${held} of ${trials.length} trials held; the server said ` +
        `within ${slowestHealthMs} ms that it is well${grown}.`,
    )
    for (const { family, lie, faults: own } of trials)
      for (const fault of own) print(`    FAULT  ${family}, ${lie}: ${fault}`)
    for (const fault of faults) print(`    FAULT  ${fault}`)
  }
}

async function run(): Promise<number> {
  const [chosen, lies] = [chosenFamilies(), values.lie?.split(',') ?? []]
  const isKnown = (name: string): boolean =>
    chosen.some(family => liarsOf(family).some(one => one.name === name))
  for (const name of lies) if (!isKnown(name)) liarNamed(chosen[0]!, name)
  const found = settings.filter(name => values.setting === undefined || name.startsWith(values.setting))
  if (found.length === 0) throw new UsageError('--setting must be alone or beside.')
  const { default: start } = (await import(resolve(values.subject))) as { default: StartSubject }
  const outcomes = await runBattery({
    start,
    settings: found,
    families: chosen,
    lies,
    patienceMs: numberOf('patience') * SECOND_MS,
    healthMs: numberOf('health-ms'),
    memoryMb: numberOf('memory-mb'),
    say: line => values.json || print(line),
  })
  await endProcesses()
  if (values.json) print(JSON.stringify(outcomes))
  else report(outcomes)
  return outcomes.some(({ faults, trials }) => faults.length > 0 || trials.some(one => one.faults.length > 0))
    ? 1
    : 0
}

async function main(): Promise<number> {
  const [command] = positionals
  if (values.help || command === undefined) print(HELP)
  else if (command === 'serve') await serve()
  else if (command === 'run') return run()
  else if (command === 'list') list()
  else throw new UsageError(`There is no command "${command}".\n\n${HELP}`)
  return 0
}

try {
  process.exit(await main())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  await endProcesses()
  process.exit(2)
}
