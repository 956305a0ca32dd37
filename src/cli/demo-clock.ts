/** The clock of a demo that starts in the past. It only goes forward, and ends in the present. */
export interface DemoClock {
  now(): number
  /** Moves on to a time; ignores earlier ones. */
  moveTo(time: number): void
  /** True while the clock is behind the present. */
  isPast(): boolean
  /** Moves to the present. */
  end(): number
}

export function demoClock(behindMs: number, present: () => number = Date.now): DemoClock {
  let behind = behindMs
  const now = () => present() - behind
  return {
    now,
    moveTo(time) {
      behind = Math.max(0, Math.min(behind, present() - time))
    },
    isPast: () => behind > 0,
    end: present,
  }
}
