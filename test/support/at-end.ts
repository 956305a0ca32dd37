import { afterAll } from 'bun:test'
import { removeFolders } from './process.ts'

const works: (() => Promise<void>)[] = []

/**
 * Runs work after the last test file of this process, or of this file if each file has its own globals. For
 * this, bunfig.toml loads this module before all others.
 */
export const atEnd = (work: () => Promise<void>): void => {
  works.push(work)
}

afterAll(async () => {
  for (const work of works.splice(0)) await work()
  removeFolders()
}, 30_000)
