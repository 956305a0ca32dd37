import { DatabaseError } from '../engine.ts'
import { errorCode } from './files.ts'

/** Runs work, and turns an error of the file system or of SQLite into a DatabaseError with a remedy. */
export function explainError<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DatabaseError || errorCode(error) === '') throw error
    throw new DatabaseError(`${what} (${(error as Error).message}). ${remedy}`, { cause: error })
  }
}
