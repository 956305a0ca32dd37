// A store in a process of its own. Prints its URL, and ends when its input does.
import { startObjectStore } from '../support/object-store.ts'

const objects = await startObjectStore()
process.stdout.write(`${objects.url()}\n`)
for await (const _ of Bun.stdin.stream());
await objects.stop()
process.exit(0)
