import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

const FAULTS = join(import.meta.dir, 'planted.txt')

/**
 * The faults of `planted.txt`, which people wrote: a description, the file after `@`, and the code before and
 * after, as in a diff. Without code after, whole lines are removed. Throws for a fault whose code has changed
 * since, because it has to be written again.
 */
export const plantedMutants = (sourceOf: (file: string) => string): Mutant[] =>
  readFileSync(FAULTS, 'utf8')
    .split(/^(?=# )/m)
    .map(block => {
      const lines = block.trimEnd().split('\n')
      const marked = (mark: string): string[] =>
        lines.filter(line => line.startsWith(mark)).map(line => line.slice(mark.length))
      const [fault = '', file = '', after] = [marked('# ')[0], marked('@ ')[0], marked('+').join('\n')]
      const before = marked('-').join('\n') + (after === '' ? '\n' : '')
      const source = sourceOf(file)
      const from = source.indexOf(before)
      if (from < 0 || source.includes(before, from + 1)) throw new Error(`Not once in ${file}: ${fault}`)
      const line = source.slice(0, from).split('\n').length
      return { file, line, from, to: from + before.length, replacement: after, fault }
    })
