// Measures how long a server takes from its start in an empty directory to its first answer, and its memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { residentMiB } from './memory.ts'

const STARTS = 7
/** After this time, what the start needed has been released. */
export const SETTLE_MS = 2000

/** A free port. Another program may take it before the server starts: then the start fails. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}

async function startOnce(command: string[]): Promise<{ ms: number; idleMiB: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-start-'))
  const port = freePort()
  const startedAt = performance.now()
  const env = { FLORIN_PORT: String(port), FLORIN_DATA_DIR: folder }
  const child = Bun.spawn([...command, 'serve'], { env, stdout: 'ignore', stderr: 'ignore' })
  try {
    const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    while ((await ask())?.status !== 200) {
      if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended before its first answer`)
      await Bun.sleep(1)
    }
    const ms = performance.now() - startedAt
    await Bun.sleep(SETTLE_MS)
    return { ms, idleMiB: residentMiB(child.pid) }
  } finally {
    child.kill('SIGTERM')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One line for the executable and one for the source code. */
export async function printStarts(executable: string): Promise<void> {
  const commands = { executable: [executable], 'from source': [process.execPath, 'src/main.ts'] }
  for (const [name, command] of Object.entries(commands)) {
    const times: number[] = []
    let idleMiB: number | null = null
    for (let start = 0; start < STARTS; start++) {
      const result = await startOnce(command)
      times.push(result.ms)
      idleMiB = result.idleMiB
    }
    times.sort((one, other) => one - other)
    const [best = 0] = times
    const median = times[STARTS >> 1] ?? 0
    process.stdout.write(
      `first answer, ${name}: best ${best.toFixed(0)} ms, median ${median.toFixed(0)} ms; ` +
        `${idleMiB} MiB when idle\n`,
    )
  }
}
