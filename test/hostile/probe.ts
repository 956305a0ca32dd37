// Asks a URL again and again, in a process of its own that nothing holds up: bun test/hostile/probe.ts URL. Prints how
// many milliseconds each answer took, and whether it was status 200.
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
