// Requests a URL again and again, in a process of its own that nothing delays: bun test/hostile/probe.ts URL.
// Prints for each answer how many milliseconds it took, and whether its status was 200.
import { argv } from 'node:process'

const [url = ''] = argv.slice(2)
const PAUSE_MS = 500
const MAX_MS = 30_000

for (;;) {
  const since = performance.now()
  const isWell = await fetch(url, { signal: AbortSignal.timeout(MAX_MS) }).then(
    answer => answer.ok,
    () => false,
  )
  process.stdout.write(`${Math.round(performance.now() - since)} ${isWell}\n`)
  await Bun.sleep(PAUSE_MS)
}
