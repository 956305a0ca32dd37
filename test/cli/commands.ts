import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { newFolder, type Ran, runCli } from '../support/process.ts'
import { until } from '../support/until.ts'

export const EVM_WALLET = '0x1111111111111111111111111111111111111111'
export const BTC_WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** The tables or rows that a running server changes every minute without any request. */
const unstable: Record<string, string> = {
  jobs: "WHERE kind NOT LIKE '%.refresh' AND kind NOT LIKE 'notification.%' AND kind <> 'reversals.find'",
  catalogues: 'WHERE 0',
  commits: 'WHERE 0',
  // A server assigns notifications to people soon after they are created.
  new_notifications: 'WHERE 0',
  rates: 'WHERE 0',
}

/** Jobs other than deliveries write soon after a request or a change of the clock, also on a busy machine. */
const REST_MS = 500

/** A hash of every row of every table; "nothing" if there is no database. */
export function snapshotOf(dataDir: string): string {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return 'nothing'
  const database = new Database(file, { readonly: true })
  const hash = createHash('sha256')
  const tables = database.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").values()
  for (const [table] of tables) {
    hash.update(`${table}\n`)
    const rows = database.query(`SELECT * FROM "${table}" ${unstable[String(table)] ?? ''}`).values()
    // A server writes the last use of a key some time after the request.
    const [use] = database
      .query(`SELECT cid FROM pragma_table_info('${table}') WHERE name = 'last_used_at'`)
      .values()
    for (const row of rows) hash.update(JSON.stringify(use ? row.toSpliced(Number(use[0]), 1) : row))
  }
  database.close()
  return hash.digest('hex')
}

/** Waits until no delivery is pending and the running server has written nothing for a while. */
export const atRest = (dataDir: string): Promise<void> =>
  until(
    async () => {
      const before = snapshotOf(dataDir)
      const database = new Database(databaseFile(dataDir), { readonly: true })
      const delivery = database.query("SELECT 1 FROM jobs WHERE kind = 'event.deliver'").get()
      database.close()
      if (delivery !== null) return false
      await Bun.sleep(REST_MS)
      return snapshotOf(dataDir) === before
    },
    'the work of the server after its requests',
    20_000,
  )

/** Runs work for each row, a few at a time, so that only a few processes run at once. */
export async function mapConcurrently<T, U>(
  rows: T[],
  work: (row: T) => Promise<U>,
  atOnce = 3,
): Promise<U[]> {
  const answers: U[] = []
  const turns = rows.entries()
  const walk = async () => {
    for (const [i, row] of turns) answers[i] = await work(row)
  }
  await Promise.all(Array.from({ length: atOnce }, walk))
  return answers
}

type Environment = Record<string, string>

const inOwnProcess = (environment: Environment, ...args: string[]): Promise<Ran> => runCli(args, environment)

/** Runs commands on a data directory, each in its own process. */
export function florinIn(
  dataDir = newFolder(),
  environment: Environment = {},
  { start = inOwnProcess, atOnce = 3 } = {},
) {
  const settings = { FLORIN_DATA_DIR: dataDir, ...environment }
  const run = (...args: string[]): Promise<Ran> => start(settings, ...args)
  return {
    dataDir,
    run,
    /** Returns the JSON output of a command, which must be all of stdout. */
    async json(...args: string[]) {
      const { exitCode, stdout, stderr } = await run(...args, '--json')
      expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' })
      return JSON.parse(stdout)
    },
    merchant(email: string, ...options: string[]) {
      return this.json('merchant', 'create', '--email', email, '--name', 'Corner Coffee', ...options)
    },
    /** Expects each command to be refused with exit code 1 and a message, and to change nothing. */
    async refuses(rows: (readonly [why: string, args: string[], words: RegExp])[]) {
      const before = snapshotOf(dataDir)
      const check = async ([why, args, words]: (typeof rows)[number]) => {
        const ran = await run(...args)
        return { why, ...summaryOf(ran), words: words.test(ran.stderr) ? words : ran.stderr }
      }
      const seen = await mapConcurrently(rows, check, atOnce)
      expect(seen).toEqual(
        rows.map(([why, , words]) => ({ why, exitCode: 1, stdout: '', isSentence: true, words })),
      )
      expect(snapshotOf(dataDir)).toBe(before)
    },
  }
}

/** The outcome of a command. A refusal prints nothing on stdout, and a message for the operator on stderr. */
export const summaryOf = ({ exitCode, stdout, stderr }: Ran) => ({
  exitCode,
  stdout,
  isSentence: /^[^\s]/.test(stderr) && !/\n\s+at |is a bug|\bundefined\b|\[object/.test(stderr),
})
