import { expect, test } from 'bun:test'
import { deleteTrash } from '../../src/replica/manifest.ts'
import type { Store } from '../../src/replica/store.ts'

type Trash = Parameters<typeof deleteTrash>[1][number]

/** Removes all trash, in several rounds if necessary. Returns the names. */
async function emptied(trash: Trash): Promise<Set<string>> {
  const removed = new Set<string>()
  const store = { remove: async (name: string) => void removed.add(name) } as unknown as Store
  for (let rest = [trash]; rest.length > 0; ) rest = await deleteTrash(store, rest)
  return removed
}

test('every part of a large snapshot, and every segment, is deleted', async () => {
  const snapshot = { kind: 'snapshot', generation: 'g', id: 's' } as const
  expect((await emptied({ ...snapshot, parts: 5001 })).size).toBe(5001)
  expect((await emptied({ ...snapshot, parts: 4000 })).size).toBe(4000)
  const segments = { kind: 'segments', generation: 'g', run: 'r', from: 10 } as const
  expect((await emptied({ ...segments, to: 5010 })).size).toBe(5001)
  expect((await emptied({ ...segments, to: 4009 })).size).toBe(4000)
})
