// A store in a process of its own, which answers as late as a store in another city. Prints its URL, and ends
// when its input ends.
import { startObjectStore } from '../support/object-store.ts'

const objects = await startObjectStore()
Object.assign(objects.state, { fault: 'slow', slowMs: 50 })
process.stdout.write(`${objects.url()}\n`)
for await (const _ of Bun.stdin.stream());
await objects.stop()
process.exit(0)
