/** The database of the server that is updated. */
export interface Database {
  /** false for a database on a server, which an update does not copy */
  isFile: boolean
  exists(): Promise<boolean>
  isInUse(): Promise<boolean>
  bytes(): Promise<number>
  /** Makes a backup of the database, and returns its name. */
  backUp(): Promise<string>
  /** See `DatabaseEngine`. */
  undoMigration(now: number): Promise<{ copy: string; replaced: string } | null>
}
