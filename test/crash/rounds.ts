import { expect } from 'bun:test'
import { askAgain, expectNothingLost, replay, type Scene } from './checks.ts'
import { acceptState, readServerState } from './deals.ts'
import { type Desk, deskLoad } from './desk.ts'
import { expectDeskIsWhole, resumeDesk } from './desk-checks.ts'
import { load } from './load.ts'
import type { Chance } from './random.ts'
import { startAndKill } from './server.ts'

/** The number of answers before a kill. A time would not do: on a busy machine, it has fewer answers. */
const ANSWERS_MIN = 20
const ANSWERS_MORE = 160
const LOAD_MAX_MS = 5000
const PAUSE_MAX_MS = 30
const START_MS = 250

/**
 * Kills the server under load, and starts it again, with everything it had confirmed. In every other round it
 * is killed right after a response, and in the others once more while it starts. Returns the number of kills.
 */
export async function killUnderLoad(
  scene: Scene,
  desk: Desk,
  round: number,
  chance: Chance,
): Promise<number> {
  const { installation, books } = scene
  const before = books.deals.length
  const clients = Promise.all([
    load(scene.server, installation, books, chance.fork()),
    deskLoad(scene.server, installation, desk, books, chance.fork()),
  ])
  const enough = books.answers + ANSWERS_MIN + chance.below(ANSWERS_MORE)
  const until = performance.now() + LOAD_MAX_MS
  while (books.answers < enough && performance.now() < until) await Bun.sleep(1)
  const isAfterAnswer = round % 2 === 1
  if (!isAfterAnswer) await Bun.sleep(chance.below(PAUSE_MAX_MS))
  await scene.server.stop('SIGKILL')
  await clients
  expect(scene.server.stderr()).not.toContain('"level":"error"')
  if (!isAfterAnswer)
    await startAndKill(installation.dataDir, installation.settings, () => Bun.sleep(chance.below(START_MS)))
  scene.server = await installation.start()
  await expectNothingLost(scene)
  await expectDeskIsWhole(scene, desk)
  const open = books.deals.filter(deal => deal.idempotencyKey !== null && deal.order === null)
  acceptState(books, await readServerState(scene.server, installation.key))
  await askAgain(scene, open)
  await replay(scene, books.deals.slice(before))
  await resumeDesk(scene, desk)
  await expectNothingLost(scene)
  return isAfterAnswer ? 1 : 2
}
