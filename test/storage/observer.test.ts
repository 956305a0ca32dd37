import { expect, test } from 'bun:test'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { newFolder } from '../support/process.ts'
import { merchantRow } from './contract/given.ts'

test('the observer wraps the tables once, and reports the changes of the last run of each write', async () => {
  const folder = newFolder()
  const steps: string[] = []
  let wrapped = 0
  const storage = openStorage(databaseFile(folder), 0, {
    observe(tables) {
      wrapped++
      let inserted = 0
      const insert: typeof tables.merchants.insert = async merchant => {
        inserted++
        await tables.merchants.insert(merchant)
      }
      return {
        tables: { ...tables, merchants: { ...tables.merchants, insert } },
        begin() {
          inserted = 0
        },
        end() {
          const inRun = inserted
          return () => void steps.push(`inserted ${inRun}`)
        },
      }
    },
  })
  const write = (count: number, error?: Error) =>
    storage.write(async tables => {
      for (let i = 0; i < count; i++) await tables.merchants.insert(merchantRow())
      if (error) throw error
    })
  const results = await Promise.allSettled([write(1), write(2, new Error('no')), write(3)])
  await write(0)
  await storage.close()
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect([wrapped, steps]).toEqual([1, ['inserted 1', 'inserted 3', 'inserted 0']])
})
