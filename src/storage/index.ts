import type { DatabaseEngine } from './engine.ts'
import type { Target } from './postgres/connection.ts'
import { sqliteEngine } from './sqlite/engine.ts'

export {
  type DatabaseEngine,
  DatabaseError,
  type DatabaseState,
  type DatabaseUse,
  type RestoreResult,
  type WriteObserver,
} from './engine.ts'
export type { SlowWork } from './guard.ts'

/** The settings that select the engine and the database. */
interface DatabaseSettings {
  dataDir: string
  /** null for a file in the data directory */
  databaseUrl: Target | null
}

type MakeEngine = typeof import('./postgres/engine.ts').postgresEngine

/** Not loaded by servers with a file. */
const loadPostgres = (): MakeEngine => require('./postgres/engine.ts').postgresEngine

/** Returns the database of these settings. Does not open it. */
export const databaseOf = ({ dataDir, databaseUrl }: DatabaseSettings): DatabaseEngine =>
  databaseUrl ? loadPostgres()(databaseUrl) : sqliteEngine(dataDir)
