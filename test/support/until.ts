const PAUSE_MS = 20

/** Waits until a condition holds, and throws after `ms`. `what` describes it in the error. */
export async function until(
  isDone: () => boolean | Promise<boolean>,
  what: string,
  ms: number,
): Promise<void> {
  const end = performance.now() + ms
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`${what} took more than ${ms} ms`)
    await Bun.sleep(PAUSE_MS)
  }
}
