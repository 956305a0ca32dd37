import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { rowsOf } from './rows.ts'

test('a job that is scheduled while the loop looks up when the next job is due does not wait for the next look-up', async () => {
  const app = await startApp()
  await app.jobs.settle()
  const { storage } = app.context
  let reads = 0
  const job = { kind: 'order.expire', subject: 'no-order', lane: 'orders', dueAt: app.time.now } as const
  app.context.storage = {
    ...storage,
    async read(work) {
      const value = await storage.read(work)
      // The first read shows that no job is due, and when the next one is.
      if (++reads === 1) await storage.write(tables => tables.jobs.schedule(job))
      return value
    },
  }
  const { setTimeout } = globalThis
  const never = setTimeout(() => {}, 0)
  // The timer for the next search never fires, so the job runs only if the loop searches again at once.
  globalThis.setTimeout = (() => never) as unknown as typeof setTimeout
  try {
    app.jobs.wake()
    const isWaiting = () =>
      reads < 2 || rowsOf(app, "SELECT 1 FROM jobs WHERE subject = 'no-order'").length > 0
    for (let tries = 0; isWaiting() && tries < 3000; tries++) await Bun.sleep(10)
    expect(isWaiting()).toBe(false)
  } finally {
    globalThis.setTimeout = setTimeout
  }
  await app.close()
})
