import { MemoryKeeper, type WorkOf } from './memory-keeper.ts'

const LOOK_MS = 250

const thisProcess: WorkOf = {
  worked() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  now: () => performance.now(),
  collect: () => Bun.gc(true),
  shrink: giveBackMemory,
}

/** Collects garbage and frees compiled code. */
export function giveBackMemory(): void {
  // Compiled code can be freed only while no collection runs.
  Bun.gc(true)
  Bun.shrink()
}

/** Keeps the memory of this process close to its needs, until the returned function is called. */
export function keepMemoryLow(): () => void {
  const keeper = new MemoryKeeper(thisProcess)
  const timer = setInterval(() => keeper.look(), LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Compiles functions to machine code once they have run often enough, as Bun does by default. At its start,
 * the executable compiles a function only after a hundred times as many runs (`.ci/build.ts`).
 */
export const compileAsUsual = (): void => Bun.unsafe.setJITPolicy(1)
