// Updates an installation, and kills itself, like a power failure, before the step that UPDATING names.
import { parsePublicKey } from '../../src/updates/minisign.ts'
import { update } from '../../src/updates/update.ts'
import { partsOf } from './updating.ts'

const { given, releases, key, line } = JSON.parse(process.env.UPDATING ?? '{}')
const last = new RegExp(line)
const say = (text: string): void => {
  if (last.test(text)) process.kill(process.pid, 'SIGKILL')
}
await update(await partsOf(given, releases, { say, readyMs: 400 }), parsePublicKey(key))
