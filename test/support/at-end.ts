import { afterAll } from 'bun:test'

const works: (() => Promise<void>)[] = []

/**
 * Does something after the last test file of this process, or of this file where each file has globals of its
 * own. For that, bunfig.toml loads this module before all others.
 */
export const atEnd = (work: () => Promise<void>): void => {
  works.push(work)
}

afterAll(async () => {
  for (const work of works.splice(0)) await work()
}, 30_000)
