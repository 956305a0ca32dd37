import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What came of a mutant. A line of the file of results. */
export interface Result {
  seed: number
  /** its place in the order that the seed gave then */
  number: number
  /** identifies it as long as the source stays as it is */
  mutant: string
  /** No mutant of tests that fail is checked by the compiler, so `types` means that no test found it. */
  found: 'tests' | 'types' | null
  /** the test file that found it */
  by?: string
  /** Of a survivor: the test files that passed, as they were then. */
  passed?: string[]
  /** Tests of the line that were left out since they take too long. */
  untried?: number
  seconds: number
}

export const addResult = (path: string, result: Result): void =>
  appendFileSync(path, `${JSON.stringify(result)}\n`)

/** The results of a seed in the order of its mutants. What came last of a mutant counts. */
export function readResults(path: string, seed: number): Result[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const results = lines.map(line => JSON.parse(line) as Result).filter(result => result.seed === seed)
  return [...new Map(results.map(result => [result.mutant, result])).values()].sort(
    (one, other) => one.number - other.number,
  )
}

/** The share of the mutants that was found, in percent, and a text that says how. */
export function sumOf(results: Result[]): { score: number; text: string } {
  const of = (found: Result['found']): Result[] => results.filter(result => result.found === found)
  const [survivors, types] = [of(null), of('types').length]
  const compiled = results.length - types
  const score = (100 * (results.length - survivors.length)) / Math.max(1, results.length)
  const tested = (100 * of('tests').length) / Math.max(1, compiled)
  const lines = [
    `${results.length - survivors.length} of ${results.length} mutants were found (${score.toFixed(1)} %):`,
    `${of('tests').length} by tests, ${types} by the compiler alone, ${survivors.length} survived.`,
    `Tests found ${tested.toFixed(1)} % of those that compile.`,
    ...survivors.map(({ number, mutant, untried = 0 }) => {
      const rest = untried > 0 ? ` (${untried} test files untried)` : ''
      return `${number}. ${mutant}${rest}`
    }),
  ]
  return { score, text: lines.join('\n') }
}
