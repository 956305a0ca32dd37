import { expect, setDefaultTimeout, test } from 'bun:test'
import { timesOf } from '../support/whole.ts'
import { fuzzFiles } from './files.ts'
import { fuzzRequests } from './fuzz.ts'
import { fuzzSocket } from './raw.ts'

setDefaultTimeout(240_000)

/** Each commit is tested with the same requests; `npm run fuzz` sends others. */
const seed = Number(process.env.FLORIN_SEED ?? 1)
const range = (share: number, whole: number) => ({ seed, from: 1, count: timesOf(share, whole) })

test(`generated requests are answered as documented, and without a fault (FLORIN_SEED=${seed})`, async () => {
  const report = await fuzzRequests({ ...range(400, 2000), failuresMax: 5, say: () => {} })
  expect(report.failures).toEqual([])
  // The requests vary enough to get each of these answers.
  for (const status of [200, 303, 400, 403, 404]) expect([...report.statuses.keys()]).toContain(status)
})

test(`broken bytes on a connection delay nobody, and cause no internal error (FLORIN_SEED=${seed})`, async () => {
  expect(await fuzzSocket(range(50, 200))).toEqual([])
})

test(`each reader refuses damaged files with a message (FLORIN_SEED=${seed})`, async () => {
  expect(await fuzzFiles(range(40, 400))).toEqual([])
})
