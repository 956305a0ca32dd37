import { expect, test } from 'bun:test'
import { openPayments } from '../support/open-payments.ts'

const EVERY_MS = 7_300

test('payments that were opened at different times are checked by the same requests', async () => {
  const { app, traffic } = await openPayments(60, EVERY_MS)
  traffic.requests = 0
  for (let step = 0; step < 80; step++) await app.advance(EVERY_MS)
  // Each minute at most one group, whose scan takes up to seven requests.
  expect(traffic.requests).toBeGreaterThan(0)
  expect(traffic.requests).toBeLessThanOrEqual(70)
  await app.close()
})
