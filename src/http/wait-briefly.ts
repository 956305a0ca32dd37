/** Waits for work, but not longer than `ms`, and not after the signal is aborted. */
export async function waitBriefly(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) resolve()
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
