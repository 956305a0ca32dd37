import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'

const WRITERS = 8
const LIFE_MS = 1500

/** Starts a process that issues invoices, and waits for its first ones. */
async function startWriter(folder: string, shop: string) {
  const script = join(import.meta.dir, 'issue-until-killed.ts')
  const writer = Bun.spawn([process.execPath, script, folder, shop], { stdout: 'pipe', stderr: 'pipe' })
  const complaint = new Response(writer.stderr).text()
  const { done } = await writer.stdout.getReader().read()
  if (done) throw new Error(`A writer did not start: ${await complaint}`)
  return writer
}

/**
 * Lets eight processes issue invoices of one shop in one database, and kills each without warning. Returns
 * the number of issued invoices, and a description of each number that is missing or was used twice.
 */
export async function killWriters(rounds: number): Promise<{ issued: number; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-invoices-'))
  const shop = crypto.randomUUID()
  try {
    await openStorage(databaseFile(folder), 0).close()
    for (let round = 0; round < rounds; round++) {
      const writers = await Promise.all(Array.from({ length: WRITERS }, () => startWriter(folder, shop)))
      await Promise.all(
        writers.map(async writer => {
          await Bun.sleep(Math.random() * LIFE_MS)
          writer.kill('SIGKILL')
          await writer.exited
        }),
      )
    }
    const storage = openStorage(databaseFile(folder), 0)
    const all = await storage.read(tables => tables.invoices.list(shop, 1_000_000, null))
    await storage.close()
    const ordinals = all.map(({ ordinal }) => ordinal).reverse()
    const faults = ordinals.flatMap((ordinal, at) => (ordinal === at + 1 ? [] : [`${at + 1} is ${ordinal}`]))
    return { issued: ordinals.length, faults: faults.slice(0, 10) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
