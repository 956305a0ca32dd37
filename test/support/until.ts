const PAUSE_MS = 20

/** Waits until something is so, and throws after `ms`. `what` says what took too long. */
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
