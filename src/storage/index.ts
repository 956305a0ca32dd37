import { existsSync } from 'node:fs'
import type { DatabaseEngine } from './engine.ts'
import type { Target } from './postgres/socket.ts'
import { sqliteEngine } from './sqlite/engine.ts'
import { databaseFile } from './sqlite/open.ts'

export {
  type BackupResult,
  type Connections,
  type DatabaseEngine,
  DatabaseError,
  type DatabaseState,
  type DatabaseUse,
  type RestoreResult,
  type WriteObserver,
} from './engine.ts'
export type { SlowWork } from './guard.ts'

interface DatabaseSettings {
  dataDir: string
  /** server and database in PostgreSQL; null for a file in the data directory */
  databaseUrl: Target | null
}

export type { MoveResult } from './move.ts'

type Move = typeof import('./move.ts').moveToServer

/** Moves the database file of a data directory to a server. See `move.ts`. */
export const moveToServer: Move = (...given) => (require('./move.ts').moveToServer as Move)(...given)

type MakeEngine = typeof import('./postgres/engine.ts').postgresEngine

/** Loads the PostgreSQL code only when it is needed: servers with a file never load it. */
const loadPostgres = (): MakeEngine => require('./postgres/engine.ts').postgresEngine

/** Returns the database that the settings name, without opening it. */
export function databaseOf({ dataDir, databaseUrl }: DatabaseSettings): DatabaseEngine {
  if (!databaseUrl) return sqliteEngine(dataDir)
  const file = databaseFile(dataDir)
  return loadPostgres()(databaseUrl, existsSync(file) ? file : null)
}
