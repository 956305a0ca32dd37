import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from './index.ts'

const root = join(import.meta.dir, '../../..')

test('each fault changes text that its file has exactly once', () => {
  const wrong = faults.flatMap(({ name, edits }) =>
    edits.flatMap(({ file, find, put }) => {
      const found = readFileSync(join(root, file), 'utf8').split(find).length - 1
      return found === 1 && find !== put ? [] : [`${name}: ${file} has it ${found} times: ${find}`]
    }),
  )
  expect(wrong).toEqual([])
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})

test('each test that is said to find a fault exists', () => {
  const named = faults.flatMap(({ test: file }) => file ?? [])
  expect(named.filter(file => !existsSync(join(root, file)))).toEqual([])
})
