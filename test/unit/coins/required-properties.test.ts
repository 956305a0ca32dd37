import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bitcoin } from '../../../src/coins/bitcoin.ts'
import { ethereum } from '../../../src/coins/ethereum.ts'
import { monero } from '../../../src/coins/monero.ts'
import type { Chain } from '../../../src/coins/types.ts'
import { newFolder } from '../../support/process.ts'

const root = join(import.meta.dir, '../../..')
const folder = newFolder()

type Path = readonly (string | number)[]

const isNested = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

/** The path of each property of a descriptor, at any depth. Elements of arrays cannot be left out. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((element, at) => pathsOf(element, [...path, at]))
  if (!isNested(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsOf(inner, [...path, name]),
  ])
}

/** The source of a descriptor without the property at a path. */
function sourceWithout(value: unknown, leftOut: string, path: Path = []): string {
  if (typeof value === 'bigint') return `${value}n`
  if (!isNested(value)) return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${value.map((element, at) => sourceWithout(element, leftOut, [...path, at]))}]`
  const properties = Object.entries(value)
    .map(([name, inner]) => [name, inner, [...path, name]] as const)
    .filter(([, , at]) => at.join('.') !== leftOut)
  return `{${properties.map(([name, inner, at]) => `${name}: ${sourceWithout(inner, leftOut, at)}`)}}`
}

const examples: [type: string, chain: Chain][] = [
  ['BitcoinChain', bitcoin],
  ['EvmChain', ethereum],
  ['OtherChain', monero],
]

interface Case {
  file: string
  /** the missing property; null for a complete descriptor */
  path: string | null
}

const cases = examples.flatMap(([type, chain]): Case[] =>
  [null, ...pathsOf(chain).map(path => path.join('.'))].map((path, at) => {
    const file = `${type}${at}.ts`
    const descriptor = sourceWithout(chain, path ?? '')
    writeFileSync(
      join(folder, file),
      `import type { ${type} } from '${root}/src/coins/types.ts'\n` +
        `export const descriptor = ${descriptor} as const satisfies ${type}\n`,
    )
    return { file, path }
  }),
)

describe('a descriptor', () => {
  let errors: string[] = []
  const errorsIn = (file: string) => errors.filter(error => error.includes(`${file}(`))

  beforeAll(async () => {
    const options =
      '--noEmit --strict --module preserve --target esnext --allowImportingTsExtensions --types null'
    const tsc = Bun.spawn(
      [join(root, 'node_modules/.bin/tsc'), ...options.split(' '), ...cases.map(({ file }) => file)],
      { cwd: folder },
    )
    errors = (await new Response(tsc.stdout).text()).split('\n')
  }, 60_000)

  test('that has all properties compiles', () => {
    const complete = cases.filter(({ path }) => path === null)
    expect(complete.length).toBe(examples.length)
    expect(complete.flatMap(({ file }) => errorsIn(file))).toEqual([])
  })

  test('that leaves out any one property is a type error', () => {
    const incomplete = cases.filter(({ path }) => path !== null)
    expect(incomplete.length).toBeGreaterThan(80)
    expect(incomplete.filter(({ file }) => errorsIn(file).length === 0).map(({ path }) => path)).toEqual([])
  })
})
