import type { StartTimer } from '../../src/outbound/client.ts'

/** Timers that pass faster than requested, by a factor that a test may change. */
export function quickTimers(speed = 1) {
  /** requested milliseconds of each timer */
  const asked: number[] = []
  const startTimer: StartTimer = (work, ms) => {
    asked.push(ms)
    const timer = setTimeout(work, ms / timers.speed)
    return () => clearTimeout(timer)
  }
  const signalAfter = (ms: number): AbortSignal => {
    asked.push(ms)
    return AbortSignal.timeout(ms / timers.speed)
  }
  const timers = { speed, asked, startTimer, signalAfter }
  return timers
}
