import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importedFrom } from '../support/imports.ts'

/** Test files that run one after the other. */
export interface Stage {
  name: string
  files: string[]
}

/** The files whose tests run first. */
const NEAREST = 6
/** These need no executable, no browser and no database server. */
const OVER_HTTP = /^test\/(?:storage|http)\//
const ON_CHAINS = /^test\/(?:networks|simulation)\//
const FAMILIES = ['bitcoin', 'evm', 'tron', 'solana', 'monero']

/** Returns, for a source file, how many imports away each test file is that depends on it. */
export function testsByDistance(root: string): (source: string) => Map<string, number> {
  const importers = new Map<string, string[]>()
  for (const file of new Bun.Glob('{src,views,migrations,test}/**/*.ts').scanSync({ cwd: root })) {
    for (const other of importedFrom(file, readFileSync(join(root, file), 'utf8'))) {
      importers.set(other, [...(importers.get(other) ?? []), file])
    }
  }
  return source => {
    const distances = new Map([[source, 0]])
    for (const [file, distance] of distances) {
      for (const importer of importers.get(file) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1)
      }
    }
    return new Map([...distances].filter(([file]) => file.endsWith('.test.ts')))
  }
}

/** The tests that depend on a source file, cheapest first: unit tests, then those over HTTP and on chains. */
export function stagesOf(source: string, distances: Map<string, number>, isUnitOnly: boolean): Stage[] {
  const files = [...distances]
    .sort(([one, near], [other, far]) => near - far || (one < other ? -1 : 1))
    .map(([file]) => file)
  const units = files.filter(file => file.startsWith('test/unit/'))
  const stages = [
    { name: 'the nearest unit tests', files: units.slice(0, NEAREST) },
    { name: 'unit tests', files: units.slice(NEAREST) },
  ]
  if (isUnitOnly) return stages
  const family = FAMILIES.find(one => source.startsWith(`src/networks/${one}/`))
  if (family === undefined) {
    return [...stages, { name: 'tests over HTTP', files: files.filter(file => OVER_HTTP.test(file)) }]
  }
  // A test whose name has no family is about all of them.
  const isOfFamily = (file: string): boolean =>
    file.includes(family) || !FAMILIES.some(other => file.includes(`/${other}`))
  return [
    ...stages,
    { name: 'tests on chains', files: files.filter(file => ON_CHAINS.test(file) && isOfFamily(file)) },
  ]
}
