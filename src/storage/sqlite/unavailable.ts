import { Refusal } from '../../domain/errors.ts'
import { DatabaseError } from '../engine.ts'
import { errorCode } from './files.ts'

const RETRY_SECONDS = 30

const CHECK_DISK = 'Free some space on its disk, and check who owns the file and its directory.'

/** Faults that the operator has to fix, by SQLite's error code. They are not bugs of the work that fails. */
const reasons: [code: RegExp, reason: string, remedy: string][] = [
  [/^SQLITE_FULL/, 'the disk is full', CHECK_DISK],
  [/^SQLITE_(READONLY|CANTOPEN)/, 'the file is read-only', CHECK_DISK],
  [/^SQLITE_IOERR/, 'the disk reported an error', CHECK_DISK],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'the file is damaged',
    'Run florin doctor, and restore a backup: florin restore FILE --force',
  ],
]

/** Returns SQLite's code of an error, which the query builder may have wrapped. */
const sqliteCode = (error: unknown): string =>
  errorCode(error) || (error instanceof Error && error.cause ? sqliteCode(error.cause) : '')

/**
 * Turns the error of a full or read-only disk, or of a damaged file, into a DatabaseError for the operator.
 * Its cause is the refusal for the caller.
 */
function storageError(error: unknown): unknown {
  if (error instanceof DatabaseError || error instanceof Refusal) return error
  const code = sqliteCode(error)
  const found = reasons.find(([pattern]) => pattern.test(code))
  if (found === undefined) return error
  const [, reason, remedy] = found
  const cause = new Refusal('storage_unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS })
  return new DatabaseError(`The database cannot be used: ${reason} (${code}). ${remedy}`, { cause })
}

export async function explainUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageError(error)
  }
}
