import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { placeOf } from '../../src/updates/place.ts'
import { unitOf } from '../../src/updates/unit.ts'
import type { Parts } from '../../src/updates/update.ts'
import { endFake, fakeFlorin, fakeSystemd, isFakeReady, prepareMigration } from './fake-executables.ts'
import { newFolder } from './process.ts'
import { openReleaseServer } from './release-server.ts'

/** An installation of a made-up Florin 1.0.0, and its database. */
export interface Installation {
  folder: string
  executable: string
  dataDir: string
  state: string
  /** address that answers `/readyz` while the made-up server is ready */
  readyUrl: string
}

/** The parts for an update of an installation. A child process makes them again. */
export async function partsOf(
  { executable, dataDir, state, readyUrl }: Installation,
  releases: string,
  { hasUnit = true, readyMs = 20_000, say = (_: string): void => {} } = {},
): Promise<Parts> {
  const environment = { PATH: `${join(state, 'bin')}:${process.env.PATH}`, FLORIN_DATA_DIR: dataDir }
  const engine = sqliteEngine(dataDir)
  return {
    place: placeOf(executable),
    source: {
      fetch,
      url: releases,
      version: '1.0.0',
      target: 'test-x64',
      patience: { silenceMs: 300, wholeMs: 5000 },
    },
    database: {
      isFile: true,
      exists: async () => existsSync(engine.location),
      isInUse: () => engine.isInUse(),
      bytes: async () => (await engine.sizes()).database,
      backUp: async () => {
        const target = join(dataDir, 'florin.before-update.sqlite')
        cpSync(engine.location, target)
        return target
      },
      undoMigration: now => engine.undoMigration(now),
    },
    dataDir,
    environment,
    unit: hasUnit ? await unitOf(executable, environment) : null,
    readiness: { fetch, url: readyUrl, everyMs: 20, settleMs: 150 },
    readyMs,
    freeBytes: () => 1e12,
    now: Date.now,
    say,
  }
}

/** Makes installations whose database is a copy of `given`, and ends their processes. */
export function installations(given: () => string) {
  const made: { state: string; close(): void }[] = []
  return {
    async make({ isRunning = true, migrates = false } = {}) {
      const folder = newFolder()
      const [state, dataDir, bin] = ['state', 'data', 'bin'].map(name => join(folder, name)) as [
        string,
        string,
        string,
      ]
      mkdirSync(state)
      mkdirSync(bin)
      cpSync(given(), dataDir, { recursive: true })
      const executable = join(bin, 'florin')
      writeFileSync(executable, fakeFlorin(state, '1.0.0'))
      chmodSync(executable, 0o755)
      const environment = fakeSystemd(state, executable, dataDir)
      if (migrates) await prepareMigration(state, dataDir)
      const ready = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => new Response(null, { status: isFakeReady(state) ? 200 : 503 }),
      })
      if (isRunning) Bun.spawnSync(['systemctl', 'start'], { env: environment })
      const releases = openReleaseServer()
      made.push({
        state,
        close() {
          releases.close()
          ready.stop(true)
        },
      })
      const readyUrl = `http://127.0.0.1:${ready.port}`
      const one: Installation = { folder, executable, dataDir, state, readyUrl }
      return {
        ...one,
        releases,
        parts: (more: Parameters<typeof partsOf>[2] = {}) => partsOf(one, releases.url, more),
        /** the installed version, and the files beside it */
        version: () => /echo '\{"version":"(.*?)"/.exec(readFileSync(executable, 'utf8'))?.[1],
        files: () =>
          readdirSync(bin)
            .filter(name => !name.endsWith('.lock'))
            .sort(),
        isReady: () => isFakeReady(state),
        calls: () => (existsSync(join(state, 'calls')) ? readFileSync(join(state, 'calls'), 'utf8') : ''),
      }
    },
    end() {
      for (const { state, close } of made) {
        endFake(state)
        close()
      }
    },
  }
}
