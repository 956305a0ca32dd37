import { expect, test } from 'bun:test'
import type { ClaimedJob } from '../../../src/domain/job.ts'
import { Recorder } from '../../../src/jobs/recorder.ts'
import type { Tables } from '../../../src/operations/context.ts'

type Work = (tables: Tables) => Promise<unknown>

const LANE = 'one'
const jobOf = (subject: string): ClaimedJob => ({
  kind: 'order.expire',
  subject,
  lane: LANE,
  dueAt: 0,
  tries: 1,
  lease: 'mine',
  priority: 0,
})

/** A database whose writes begin when the test says so, and which see only jobs that were claimed before. */
function givenStorage() {
  const claimed = new Set<string>()
  const left = new Set<string>()
  const begun: (() => void)[] = []
  return {
    left,
    begun,
    claim(subject: string) {
      claimed.add(subject)
      left.add(subject)
    },
    clockAhead: () => 0,
    async write(work: Work) {
      const seen = new Set(claimed)
      await new Promise<void>(resolve => begun.push(resolve))
      const finish = async ({ subject }: ClaimedJob) => {
        if (seen.has(subject)) left.delete(subject)
      }
      await work({ jobs: { finish } } as unknown as Tables)
    },
  }
}

test('a job that was claimed after a write had begun is not recorded in that write', async () => {
  const storage = givenStorage()
  const recorder = new Recorder(storage as unknown as ConstructorParameters<typeof Recorder>[0])
  const record = (subject: string) => {
    storage.claim(subject)
    return recorder.record([jobOf(subject)], new Map([[subject, null]]))
  }
  const first = record('first')
  while (storage.begun.length === 0) await new Promise(setImmediate)
  const others = [record('second'), record('third'), record('fourth')]
  const start = async () => {
    while (storage.left.size > 0) {
      for (const begin of storage.begun.splice(0)) begin()
      await new Promise(setImmediate)
    }
  }
  await Promise.race([Promise.all([start(), first, ...others]), Bun.sleep(2000)])
  expect([...storage.left]).toEqual([])
})
