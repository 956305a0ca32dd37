import type { Fetch } from './download.ts'
import type { Unit } from './unit.ts'

const ASK_MS = 5000

export interface Readiness {
  fetch: Fetch
  /** address of the server on this machine; null if its port is not known */
  url: string | null
  everyMs: number
  /** pause between the two checks, because a server may end right after it was ready */
  settleMs: number
}

async function answers({ fetch, url }: Readiness): Promise<boolean> {
  if (url === null) return true
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASK_MS) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}

/** Returns the ID of the unit's process if it answers and is not the process `before`; otherwise null. */
async function readyProcess(unit: Unit, before: number, readiness: Readiness): Promise<number | null> {
  const pid = await unit.pid()
  if (pid === 0 || pid === before) return null
  return (await answers(readiness)) && (await unit.pid()) === pid ? pid : null
}

/**
 * Waits until a process other than `before` has answered twice. Returns false if none does within `mostMs`.
 */
export async function becomesReady(
  unit: Unit,
  before: number,
  mostMs: number,
  readiness: Readiness,
): Promise<boolean> {
  const end = performance.now() + mostMs
  while (performance.now() < end) {
    const pid = await readyProcess(unit, before, readiness)
    if (pid === null) {
      await Bun.sleep(readiness.everyMs)
      continue
    }
    await Bun.sleep(readiness.settleMs)
    if ((await readyProcess(unit, before, readiness)) === pid) return true
  }
  return false
}
