// A server that makes checkpoints while it writes, until changes are in the spill file and do not reach the
// store. Then it resets its log, prints the number of its rows, and waits to be killed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseKey } from '../../src/replica/store.ts'
import { contentOf, openReplicated, storeOf, until, writeSome } from './scene.ts'

const [url = '', dataDir = '', key = ''] = process.argv.slice(2)
const rest = join(dataDir, 'florin.replica-rest')
const store = storeOf({ url: () => url })
let isKept = false
let sending = 0
const opened = openReplicated(
  { url: () => url },
  {
    dataDir,
    key: parseKey(key)!,
    limits: { checkpointBytes: 64 * 1024 },
    store: {
      ...store,
      async put(name, bytes) {
        // Uploads that were started before the log was reset still finish.
        while (existsSync(rest) && sending > 0) await Bun.sleep(1)
        isKept ||= existsSync(rest)
        while (isKept && name.includes('segment')) await Bun.sleep(5)
        sending++
        await store.put(name, bytes)
        sending--
      },
    },
  },
)
const write = async () => {
  while (!isKept) await writeSome(opened)
}
await Promise.all([write(), until(() => isKept)])
await writeSome(opened, 5)
process.stdout.write(`${contentOf(opened.file).rows}\n`)
setInterval(() => {}, 1000)
