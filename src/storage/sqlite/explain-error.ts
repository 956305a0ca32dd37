import { codeOf } from './files.ts'
import { DatabaseFault } from './migrate.ts'

/** Does work whose failures are the machine's: they are told in one sentence, and then what to do. */
export function inWords<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DatabaseFault || codeOf(error) === '') throw error
    throw new DatabaseFault(`${what} (${(error as Error).message}). ${remedy}`)
  }
}
