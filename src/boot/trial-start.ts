import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../settings/table.ts'
import { databaseOf } from '../storage/index.ts'
import { UpdateError } from '../updates/update-error.ts'
import { openFlorin } from './compose.ts'
import { makeLog } from './log.ts'
import { realPlatform } from './platform.ts'

const URL_OF_NOBODY = 'http://127.0.0.1:1'

async function unreachable(): Promise<never> {
  throw new Error('A trial asks nobody.')
}

/**
 * Opens a copy of a backup with this version, migrates it and checks if it is ready. Runs no jobs and sends
 * no requests, so that the copy has no effect elsewhere: no webhooks, mails or checks of payments. Throws if
 * this version would not become ready with that database. Returns the migrations that it applied.
 */
export async function tryStart(settings: Settings, backup: string): Promise<string[]> {
  const folder = join(settings.dataDir, 'update-trial')
  if (!existsSync(backup)) throw new UpdateError(`${backup} does not exist.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  try {
    const own = {
      dataDir: folder,
      databaseUrl: null,
      backupDir: '',
      replicaUrl: null,
      metrics: null,
      domains: [],
    }
    const alone: Settings = { ...settings, ...own }
    const platform = {
      ...realPlatform(makeLog('silent')),
      fetch: unreachable,
      lookup: unreachable,
      send: unreachable,
    }
    const database = databaseOf(alone)
    copyFileSync(backup, database.location)
    const { migrations } = await database.migrate(platform.now())
    const florin = await openFlorin(alone, platform, URL_OF_NOBODY)
    try {
      const answer = await florin.http.fetch(new Request(`${URL_OF_NOBODY}/readyz`))
      if (!answer.ok) throw new UpdateError(`/readyz answered ${answer.status}: ${await answer.text()}`)
    } finally {
      await florin.close()
    }
    return migrations
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
