// The memory of a measured server: when it is idle, right after a load, and some seconds later.
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, send } from './load.ts'
import {
  compressed,
  createOrder,
  creation,
  openAttempt,
  reading,
  type Server,
  startServer,
} from './server.ts'
import { newShop } from './shop.ts'
import { SETTLE_MS } from './start.ts'

/** After this time without a request, the server has given back what only its load needed. */
const QUIET_MS = 10_000
/**
 * The most memory that a server keeps after that time. A server that collects garbage only when it needs
 * memory keeps up to 170 MiB.
 */
const QUIET_MAX_MIB = 125
const LOAD_SECONDS = 4
/** Runs on the same machine differ by less than this factor. */
const TOLERANCE = 1.15

/** The memory of a process in MiB; null if the system does not report it. */
export function residentMiB(pid: number): number | null {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return null
  }
}

/** The memory of a server in MiB, in each state; null where the system does not report it. */
export interface Memory {
  idle: number | null
  busy: number | null
  quiet: number | null
}

/**
 * Starts a server with one shop in a new directory. It runs a copy of the executable, because the system maps
 * larger pieces of a file that was just written, which count as the server's memory.
 */
async function startShop(built: string, folder: string): Promise<Server> {
  const dataDir = mkdtempSync(join(folder, 'shop-'))
  const executable = join(dataDir, 'florin')
  copyFileSync(built, executable)
  const shop = newShop([executable], dataDir)
  const settings = { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' }
  return { ...(await startServer(dataDir, [executable, 'serve', '--json'], settings)), ...shop }
}

/** The memory of a merchant's server before and after orders and pages at full speed. */
export async function measureMemory(executable: string, folder: string): Promise<Memory> {
  const server = await startShop(executable, folder)
  await Bun.sleep(SETTLE_MS)
  const idle = residentMiB(server.pid)
  const choice = reading(`${server.url}/pay/${await createOrder(server)}`, compressed)
  const open = reading(await openAttempt(server), compressed)
  const orders = creation(server)
  const loads: [Load, connections: number][] = [
    [orders, 64],
    [choice, 16],
    [open, 16],
    [orders, 64],
  ]
  for (const [load, connections] of loads) await send(server.pid, load, connections, LOAD_SECONDS)
  const busy = residentMiB(server.pid)
  await Bun.sleep(QUIET_MS)
  const quiet = residentMiB(server.pid)
  await server.stop()
  process.stdout.write(
    `memory: ${idle} MiB idle, ${busy} MiB after orders and pages at full speed, ` +
      `${quiet} MiB ${QUIET_MS / 1000} s later (at most ${QUIET_MAX_MIB})\n`,
  )
  return { idle, busy, quiet }
}

/** The figures that have grown too much. `busy` is not among them: it depends on how much garbage was due. */
export function growth(before: Memory | null, { idle, quiet }: Memory): string[] {
  const factorOf = (now: number | null, former: number | null | undefined): number =>
    now === null || former == null ? 1 : now / former
  const grown = Object.entries({
    'when idle': factorOf(idle, before?.idle),
    'after a load': factorOf(quiet, before?.quiet),
  }).filter(([, factor]) => factor > TOLERANCE)
  return [
    ...(quiet !== null && quiet > QUIET_MAX_MIB ? [`the server keeps ${quiet} MiB after its load`] : []),
    ...grown.map(([when, factor]) => `memory ${when}: ${factor.toFixed(2)} times as much as before`),
  ]
}
