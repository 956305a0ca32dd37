export const first = <T>(rows: T[]): T | null => rows[0] ?? null

/** True if a compare-and-set changed a row. */
export const changed = (rows: unknown[]): boolean => rows.length > 0
