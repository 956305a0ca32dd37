import { expect, test } from 'bun:test'
import { type PageTurn, pageOf, twoWayPageOf } from '../../../src/domain/page.ts'

const startOf = (at: number) => ({ at, id: `${at}` })
/** The newest row comes first. */
const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => count - index)

test.each<[count: number, items: number, next: number | null]>([
  [0, 0, null],
  [1, 1, null],
  [3, 3, null],
  [4, 3, 2],
])('a page of 3 from %p rows has %p, and the next one starts after %p', (count, items, next) => {
  const page = pageOf(rows(count), 3, startOf)
  expect(page).toEqual({
    items: rows(count).slice(0, items),
    next: next === null ? null : startOf(next),
  })
})

const turn = (direction: PageTurn['direction']): PageTurn => ({ ...startOf(9), direction })

test.each<[text: string, turn: PageTurn | null, count: number, newer: number | null, older: number | null]>([
  ['the first page of few rows', null, 3, null, null],
  ['the first page of many rows', null, 4, null, 2],
  ['a page of older rows, the last', turn('older'), 3, 3, null],
  ['a page of older rows, before others', turn('older'), 4, 4, 2],
  ['a page of newer rows, the first', turn('newer'), 3, null, 1],
  ['a page of newer rows, before others', turn('newer'), 4, 3, 1],
  ['a page without rows', turn('older'), 0, null, null],
])('%s', (_, direction, count, newer, older) => {
  const all = rows(count)
  const page = twoWayPageOf(all, 3, direction, startOf)
  const start = (at: number | null) => (at === null ? null : startOf(at))
  expect(page.items).toEqual(direction?.direction === 'newer' ? all.slice(-3) : all.slice(0, 3))
  expect([page.newer ?? null, page.older ?? null]).toEqual([start(newer), start(older)])
})
