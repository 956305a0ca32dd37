import type { Database } from 'bun:sqlite'
import { type GroupHooks, GroupWriter, type Transaction } from '../group-writer.ts'

function transactionOf(database: Database): Transaction {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const savepoint = database.prepare('SAVEPOINT work')
  const release = database.prepare('RELEASE work')
  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollBack() {
      if (database.inTransaction) database.run('ROLLBACK')
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollBackToSavepoint() {
      database.run('ROLLBACK TO work')
      database.run('RELEASE work')
    },
    isOpen: () => database.inTransaction,
  }
}

/** The only connection that writes to the file, with group commit. */
export class Writer extends GroupWriter {
  constructor(database: Database, hooks?: GroupHooks) {
    super(transactionOf(database), hooks)
  }
}
