/** The database of the server that is updated. */
export interface Database {
  /** false for a server's database, which is not copied */
  isFile: boolean
  exists(): Promise<boolean>
  isInUse(): Promise<boolean>
  bytes(): Promise<number>
  /** Writes a copy of it, and returns its name. */
  backUp(): Promise<string>
  /** See `DatabaseEngine`. */
  undoMigration(now: number): Promise<{ copy: string; replaced: string } | null>
}
