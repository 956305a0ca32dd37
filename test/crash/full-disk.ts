// Fills the disk of a server under load again and again, and frees it. Needs a user who may mount a tmpfs.
// npm run test:full-disk -- --times 10
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endProcesses, newFolder, type RunningProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { askAgain, expectNothingLost, expectOneEventEach, finishAll, replay, type Scene } from './checks.ts'
import { acceptState, openBooks, readServerState } from './deals.ts'
import { load } from './load.ts'
import { type Chance, seeded, seedOf } from './random.ts'
import { openInstallation } from './server.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '10' } } })
const times = Number(values.times)
if (!(times > 0)) {
  process.stderr.write('Usage: npm run test:full-disk -- [--times N]\n')
  process.exit(2)
}

const DISK_SIZE = '48m'
const LOAD_MAX_MS = 1500
const FULL_MS = 2500
const BACK_MS = 60_000
/** The database may have free space in its own files: then some orders are still accepted. */
const LEFT_MAX_BYTES = 64 * 1024
const LOG_END = 3000

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const run = (...command: string[]): boolean => Bun.spawnSync(command).success
const disk = join(newFolder(), 'disk')
mkdirSync(disk)
if (!run('mount', '-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'none', disk)) {
  process.stderr.write('This user may not mount a file system. Run as root, outside of a plain container.\n')
  await endProcesses()
  process.exit(2)
}
const filler = join(disk, 'filler')
const figures = { refused: 0, read: 0 }

function fill(left: number): void {
  const { bavail, bsize } = statfsSync(disk)
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
  } catch {
    // If this fails, the server wrote meanwhile and the disk is full already.
  }
}

/** Reads the orders, and tries to create one, while the disk is full. */
async function useFullDisk({ server, installation, books }: Scene): Promise<void> {
  const { key } = installation
  const body = {
    amount: '9.00',
    currency: 'USD',
    paymentMethodsKeys: ['*'],
    customer: { email: 'a@b.example' },
  }
  const known = books.deals.flatMap(({ order }) => order ?? [])
  for (const overAt = performance.now() + FULL_MS; performance.now() < overAt; await Bun.sleep(50)) {
    const { orderUUID } = known[figures.read % known.length]!
    const read = await server.call('GET', `/v1/orders/${orderUUID}`, { key })
    if (read.status !== 200) books.unexpected.push(`reading returned ${read.status} ${read.text}`)
    figures.read++
    const alive = await server.call('GET', '/healthz')
    if (alive.status !== 200) books.unexpected.push(`/healthz returned ${alive.status}`)
    // The amount is not valid, so no order is created even if there is space.
    const tried = await server.call('POST', '/v1/orders', { key, body: { ...body, amount: '0.00' } })
    if (![400, 422, 503].includes(tried.status)) books.unexpected.push(`selling returned ${tried.status}`)
  }
}

async function fillOnce(scene: Scene, chance: Chance): Promise<void> {
  const { server, installation, books } = scene
  let isOver = false
  const before = { deals: books.deals.length, unanswered: books.unanswered }
  const clients = load(server, installation, books, chance.fork(), () => isOver)
  const isUnderWay = () => books.deals.slice(before.deals).some(({ order }) => order !== null)
  await until(isUnderWay, 'the first order', BACK_MS)
  await Bun.sleep(chance.below(LOAD_MAX_MS))
  fill(chance.below(LEFT_MAX_BYTES))
  await useFullDisk(scene)
  const refused = books.unanswered - before.unanswered
  figures.refused += refused
  rmSync(filler)
  const isReady = async () => (await server.call('GET', '/readyz')).status === 200
  await until(isReady, 'becoming ready', BACK_MS)
  isOver = true
  await clients
  // The simulated provider has its state on the same disk, so it may fail too.
  books.unexpected = books.unexpected.filter(line => !line.includes('provider_unavailable'))
  await expectNothingLost(scene)
  const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
  acceptState(books, await readServerState(server, installation.key))
  await askAgain(scene, open)
  await replay(scene, books.deals.slice(before.deals))
  await expectNothingLost(scene)
}

const chance = seeded(seedOf('test/crash/full-disk.ts'))
let problem = ''
let server: RunningProcess | undefined
try {
  const installation = await openInstallation(undefined, '', join(disk, 'data'))
  server = await installation.start()
  const scene: Scene = { installation, server, books: openBooks(installation, true) }
  for (let time = 1; time <= times; time++) {
    await fillOnce(scene, chance)
    say(`full ${time} times: ${figures.refused} requests refused, ${figures.read} orders read meanwhile`)
  }
  await finishAll(scene)
  await expectOneEventEach(scene)
  const { exitCode } = await server.stop()
  if (exitCode !== 0) problem = `The server ended with ${exitCode}`
  if (figures.refused === 0) problem = 'The disk was never full'
  say(`${scene.books.answers} requests were answered, ${scene.books.unanswered} were refused.`)
  installation.receiver.stop()
} catch (error) {
  const { bavail, bsize } = statfsSync(disk)
  problem = `${error}\nFree: ${bavail * bsize} bytes. The end of the log:\n${server?.stderr().slice(-LOG_END)}`
} finally {
  run('umount', '-l', disk)
  await endProcesses()
}
say(problem ? `FAILED:\n${problem}` : 'The server stayed up, and nothing that was acknowledged is lost.')
process.exit(problem ? 1 : 0)
