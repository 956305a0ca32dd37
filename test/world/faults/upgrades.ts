import type { Edit, Fault } from './fault.ts'

/** The last version without the migration `0020_counted_payments`. */
const EARLIER = 'd59117ef'

const upgrade = (name: string, what: string, edit: Edit): Fault => ({
  ...{ name, what, edits: [edit], earlier: EARLIER },
})

/** An additional migration, after those of this version. */
const migration = (sql: string): Edit => ({
  file: 'migrations/index.ts',
  find: 'countedPayments, expands: true },\n',
  put: `countedPayments, expands: true },\n  { name: '0099_fault', sql: "${sql}", expands: true },\n`,
})

/** Faults that only a history with two versions can find, because one version reads the rows of the other. */
export const upgradeFaults: Fault[] = [
  upgrade(
    'column-demanded',
    'a migration demands a value that the earlier version does not store when it runs again',
    {
      file: 'migrations/0020_counted_payments.sql',
      find: 'NOT NULL DEFAULT 0;',
      put: `DEFAULT NULL;
        CREATE TRIGGER payments_count BEFORE INSERT ON incoming_payments WHEN NEW.counts IS NULL
        BEGIN SELECT RAISE(ABORT, 'counts is missing'); END;`,
    },
  ),
  upgrade(
    'migration-resets-tolerance',
    'a migration sets the tolerance of all shops back to the default',
    migration("UPDATE merchants SET tolerance = '0.5';"),
  ),
  upgrade(
    'migration-loses-jobs',
    'a migration loses the jobs that expire orders',
    migration("DELETE FROM jobs WHERE kind = 'order.expire';"),
  ),
  upgrade(
    'migration-ends-watch',
    'after a migration, open payments are watched only until the end of their lock',
    migration('UPDATE attempts SET watch_until = locked_until;'),
  ),
]
