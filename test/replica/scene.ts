import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Log } from '../../src/domain/log.ts'
import { Replicator } from '../../src/replica/replicator.ts'
import { restoreTo } from '../../src/replica/restore.ts'
import { newKeyText, openStore, parseKey } from '../../src/replica/store.ts'
import { replicaUrl } from '../../src/settings/replica-url.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { ACCESS_KEY, type ObjectStore } from '../support/object-store.ts'
import { newFolder } from '../support/process.ts'

export const KEY = parseKey(newKeyText())!

export const storeOf = (objects: Pick<ObjectStore, 'url'>, prefix = 'florin', timeoutMs = 2000) =>
  openStore(
    replicaUrl(objects.url(prefix))!,
    { accessKeyId: ACCESS_KEY, secretAccessKey: ACCESS_KEY },
    (url, init) => fetch(url, init),
    { timeoutMs },
  )

/** Opens a database with a replica, as a server does. */
export function openReplicated(
  objects: Pick<ObjectStore, 'url'>,
  {
    dataDir = newFolder(),
    prefix = 'florin',
    ...change
  }: Partial<ConstructorParameters<typeof Replicator>[1]> & { prefix?: string } = {},
) {
  const lines: string[] = []
  const note = (fields: object, event: string) => {
    lines.push(`${event} ${JSON.stringify(fields)}`)
  }
  const log: Log = { debug: note, info: note, warn: note, error: note }
  let replicator!: Replicator
  const file = databaseFile(dataDir)
  const storage = openStorage(
    file,
    Date.now(),
    {
      replicate(source) {
        replicator = new Replicator(source, {
          store: storeOf(objects, prefix),
          key: KEY,
          dataDir,
          keepMs: 7 * 24 * 3600_000,
          now: Date.now,
          log,
          freeBytes: () => 1e12,
          ...change,
          limits: { everyMs: 20, retryMs: 20, manifestMs: 100, stopMs: 3000, ...change.limits },
        })
        return replicator
      },
    },
    { as: 'server', mode: 'sandbox' },
  )
  return {
    storage,
    replicator,
    file,
    dataDir,
    lines,
    /** Waits until everything written before is in the store. */
    async caughtUp(): Promise<number> {
      const since = Date.now()
      while ((replicator.lagMs() ?? Number.POSITIVE_INFINITY) > Date.now() - since) {
        if (Date.now() - since > 30_000)
          throw new Error(`not stored: ${replicator.problem()} ${lines.join('\n')}`)
        await Bun.sleep(10)
      }
      return Date.now()
    },
  }
}

export async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 30_000) throw new Error('it did not happen')
    await Bun.sleep(10)
  }
}

let rows = 0
const PADDING = Array.from({ length: 200 }, (_, i) => `source ${i}`)

/** Writes rates, each in its own commit, like any other change. */
export async function writeSome(
  { storage }: Pick<ReturnType<typeof openReplicated>, 'storage'>,
  count = 1,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const at = Date.now()
    const asset = `asset-${++rows}`
    await storage.write(tables =>
      tables.rates.keep({
        assetId: asset,
        currency: 'USD',
        at,
        value: '1.5',
        sources: PADDING,
      } as never),
    )
  }
}

/** The rows of a database, and whether it is intact. */
export function contentOf(file: string): { integrity: unknown; rows: number; commits: number } {
  const database = new Database(file)
  try {
    const one = (sql: string): unknown => database.query(sql).values()[0]?.[0]
    return {
      integrity: one('PRAGMA integrity_check'),
      rows: Number(one('SELECT COUNT(*) FROM rates')),
      commits: Number(one('SELECT count FROM commits')),
    }
  } finally {
    database.close()
  }
}

/** Restores from the store alone. */
export async function restored(objects: ObjectStore, until = Number.POSITIVE_INFINITY, prefix = 'florin') {
  const file = join(newFolder(), 'restored.sqlite')
  const result = await restoreTo({ store: storeOf(objects, prefix), key: KEY }, file, until)
  return { ...contentOf(file), ...result, file }
}
