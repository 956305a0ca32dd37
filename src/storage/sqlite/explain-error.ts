import { DatabaseError } from '../engine.ts'
import { errorCode } from './files.ts'

/** Turns errors of the file system or SQLite into a DatabaseError with a remedy. */
export function explainError<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DatabaseError || errorCode(error) === '') throw error
    throw new DatabaseError(`${what} (${(error as Error).message}). ${remedy}`, { cause: error })
  }
}
