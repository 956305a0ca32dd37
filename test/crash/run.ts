// Kills the executable at random times under load, and checks after each start what was acknowledged.
// npm run test:kill -- --engine sqlite --kills 500 --lanes 2
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresServer } from '../support/postgres.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'
import { endProcesses } from '../support/process.ts'
import { expectNothingLost, expectOneEventEach, finishAll, replay, type Scene } from './checks.ts'
import { openBooks } from './deals.ts'
import { type Desk, openDesk } from './desk.ts'
import { expectDeskEventsArrived, expectDeskIsWhole } from './desk-checks.ts'
import { auditOf } from './problems.ts'
import { type Chance, seeded, seedOf } from './random.ts'
import { killUnderLoad } from './rounds.ts'
import { openInstallation } from './server.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '500' },
    lanes: { type: 'string', default: '2' },
  },
})
const isOnPostgres = values.engine === 'postgres'
const total = Number(values.kills)
const lanes = Number(values.lanes)
if (!['sqlite', 'postgres'].includes(values.engine) || !(total > 0) || !(lanes > 0)) {
  process.stderr.write('Usage: npm run test:kill -- [--engine sqlite|postgres] [--kills N] [--lanes N]\n')
  process.exit(2)
}

/** After this many, a lane continues with a new installation, because the checks read all orders. */
const ROUNDS = 16
const DELIVERY_MAX_MS = 25
const SAID_EVERY = 50

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const startedAt = performance.now()
const figures = { kills: 0, orders: 0, paid: 0, refunds: 0, changes: 0, decisions: 0, events: 0 }
const requests = { answered: 0, unanswered: 0 }
const problems: string[] = []

function count({ books, installation }: Scene, desk: Desk): void {
  const orders = [...books.deals.map(({ order }) => order), ...desk.sales.map(({ order }) => order)]
  figures.orders += orders.filter(order => order !== null).length
  figures.paid += books.deals.filter(({ ended }) => ended?.status === 'PAID').length
  figures.paid += desk.sales.filter(({ payment }) => payment === 'recorded').length
  figures.refunds += desk.refunds.length
  figures.changes += books.walletChanges.length + desk.name.confirmed
  figures.changes += desk.products.reduce((sum, { confirmed }) => sum + confirmed + 1, 0)
  figures.decisions += desk.decisions.size
  figures.events += new Set(installation.receiver.received.map(({ json }) => json.id)).size
  requests.answered += books.answers
  requests.unanswered += books.unanswered
}

async function killOften(scene: Scene, desk: Desk, chance: Chance): Promise<void> {
  for (let round = 1; round <= ROUNDS && figures.kills < total; round++) {
    const kills = await killUnderLoad(scene, desk, round, chance)
    const before = figures.kills
    // The kills are added after the await, because the other lanes add theirs meanwhile.
    figures.kills += kills
    if (Math.floor(before / SAID_EVERY) < Math.floor(figures.kills / SAID_EVERY))
      say(`${figures.kills} kills after ${Math.round((performance.now() - startedAt) / 1000)} s`)
  }
}

async function useInstallation(lane: number, chance: Chance): Promise<void> {
  const pauses = chance.fork()
  const answer = async () => {
    await Bun.sleep(pauses.below(DELIVERY_MAX_MS))
    return new Response('ok')
  }
  const database = isOnPostgres ? await newPostgresDatabase() : null
  const installation = await openInstallation(answer, database?.url)
  const scene: Scene = { installation, server: await installation.start(), books: openBooks(installation) }
  const desk = await openDesk(installation, scene.server)
  try {
    await killOften(scene, desk, chance)
    await finishAll(scene)
    await replay(scene, scene.books.deals)
    await expectNothingLost(scene)
    await expectDeskIsWhole(scene, desk)
    await expectOneEventEach(scene)
    await expectDeskEventsArrived(scene, desk)
    await scene.server.stop()
    problems.push(...auditOf(installation.file))
  } catch (error) {
    // A server that ended without being killed must not be taken for one that was killed.
    const log = scene.server.stderr()
    await scene.server.stop('SIGKILL')
    const kept = join(tmpdir(), `florin-kill-${process.pid}-${lane}-${figures.kills}`)
    if (!isOnPostgres) cpSync(installation.dataDir, kept, { recursive: true })
    const where = `After ${figures.kills} kills, in lane ${lane}`
    problems.push(`${where}: ${error}\nThe data are in ${isOnPostgres ? installation.file : kept}`)
    problems.push(...scene.books.unexpected, ...(log ? [`The log of the server:\n${log}`] : []))
  } finally {
    count(scene, desk)
    installation.receiver.stop()
    if (problems.length === 0) await database?.drop()
  }
}

async function runLane(lane: number, chance: Chance): Promise<void> {
  while (figures.kills < total && problems.length === 0) await useInstallation(lane, chance)
}

const chance = seeded(seedOf('test/crash/run.ts'))
await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane + 1, chance.fork())))
if (isOnPostgres) (await postgresServer()).stop()
await endProcesses()
const seconds = Math.round((performance.now() - startedAt) / 1000)
say(
  `${values.engine}: ${figures.kills} kills in ${seconds} s. ` +
    `Acknowledged: ${figures.orders} orders, ${figures.paid} payments, ${figures.refunds} refunds, ` +
    `${figures.changes} changes of products, wallets and settings, ${figures.decisions} decisions. ` +
    `${figures.events} events arrived. ` +
    `${requests.answered} requests were answered, ${requests.unanswered} were interrupted.`,
)
say(
  problems.length === 0
    ? 'Nothing that was acknowledged is lost, and nothing happened twice.'
    : `FAILED:\n${problems.join('\n')}`,
)
process.exit(problems.length > 0 ? 1 : 0)
