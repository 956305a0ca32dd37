import type { DatabaseEngine } from './engine.ts'
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
}

/** Returns the database of these settings. Does not open it. */
export const databaseOf = ({ dataDir }: DatabaseSettings): DatabaseEngine => sqliteEngine(dataDir)
