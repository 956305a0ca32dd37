import { codeOf } from './files.ts'
import { DatabaseError } from './migrate.ts'

/** Does work whose failures are the machine's: they are told in one sentence, and then what to do. */
export function explainError<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DatabaseError || codeOf(error) === '') throw error
    throw new DatabaseError(`${what} (${(error as Error).message}). ${remedy}`)
  }
}
