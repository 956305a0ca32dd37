import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** The outcome of a mutant: a line in the file of results. */
export interface Result {
  seed: number
  /** its place in the order of the seed at that time */
  number: number
  /** identifies the mutant as long as the source stays the same */
  mutant: string
  /** A mutant that a test finds is not compiled, so `types` means that no test found it. */
  found: 'tests' | 'types' | null
  /** the test file that found it */
  by?: string
  /** For a survivor, the test files that passed, with their content at that time. */
  passed?: string[]
  /** The number of tests of the line that were left out because they take too long. */
  untried?: number
  seconds: number
}

export const addResult = (path: string, result: Result): void =>
  appendFileSync(path, `${JSON.stringify(result)}\n`)

/** The results of a seed in the order of its mutants. The last result of a mutant counts. */
export function readResults(path: string, seed: number): Result[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const results = lines.map(line => JSON.parse(line) as Result).filter(result => result.seed === seed)
  return [...new Map(results.map(result => [result.mutant, result])).values()].sort(
    (one, other) => one.number - other.number,
  )
}

/** The percentage of mutants that were found, and a text with the details. */
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
