import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fault that people thought of: a description, and code of a file before and after. */
interface PlantedFault {
  fault: string
  file: string
  before: string
  after: string
}

/**
 * Reads the faults of `planted.txt`: a description, the file after `@`, and the code before and after, as in a
 * diff. Without code after, whole lines are removed.
 */
export const plantedFaults = (): PlantedFault[] =>
  readFileSync(join(import.meta.dir, 'planted.txt'), 'utf8')
    .split(/^(?=# )/m)
    .map(block => {
      const lines = block.trimEnd().split('\n')
      const marked = (mark: string): string[] =>
        lines.filter(line => line.startsWith(mark)).map(line => line.slice(mark.length))
      const [fault = '', file = '', after] = [marked('# ')[0], marked('@ ')[0], marked('+').join('\n')]
      return { fault, file, before: marked('-').join('\n') + (after === '' ? '\n' : ''), after }
    })
