// The memory of a measured server: when it is idle, right after a load, and some seconds later.
import { readFileSync } from 'node:fs'

/** After this time without a request, the server has given back what only its load needed. */
const QUIET_MS = 10_000
/** More than a server keeps then. One that collects only when it needs memory keeps up to 170. */
const QUIET_MAX_MIB = 145
/** Runs on the same machine differ by less. */
const TOLERANCE = 1.15

/** The memory of a process in MiB; null if the system does not tell. */
export function residentMiB(pid: number): number | null {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return null
  }
}

/** In MiB; null where the system does not tell. */
export interface Memory {
  idle: number | null
  busy: number | null
  quiet: number | null
}

/** To be called when a load has just ended. */
export async function printMemory(pid: number, idle: number | null): Promise<Memory> {
  const busy = residentMiB(pid)
  await Bun.sleep(QUIET_MS)
  const quiet = residentMiB(pid)
  process.stdout.write(
    `memory: ${idle} MiB idle, ${busy} MiB after these requests, ` +
      `${quiet} MiB ${QUIET_MS / 1000} s later (at most ${QUIET_MAX_MIB})\n`,
  )
  return { idle, busy, quiet }
}

/** What has grown too much. How much a busy server has depends on what it was about to collect. */
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
