import { expect, test } from 'bun:test'
import { WriteGroup } from '../../src/storage/tables/write-group.ts'

const begun = (): WriteGroup => {
  const group = new WriteGroup()
  group.begin(1)
  return group
}

test('rows that a write read or stored are not remembered for the next one if it was rolled back', () => {
  const group = begun()
  group.rows.set('merchants m1', { name: 'Corner Coffee' })
  group.sums.set('m1 USD', { orders: 2 })
  group.end(false)
  expect([...group.rows, ...group.sums]).toEqual([])
})

test('rows that a commit stored are remembered until another process changes the database', () => {
  const group = begun()
  group.sums.set('m1 USD', { orders: 2 })
  group.end(true)
  group.committed()
  group.begin(1)
  expect([...group.sums.keys()]).toEqual(['m1 USD'])
  group.end(true)
  group.committed()
  group.begin(2)
  expect([...group.sums]).toEqual([])
})

test('rows that a commit stored are not remembered if it never reached the disk', () => {
  const group = begun()
  group.sums.set('m1 USD', { orders: 2 })
  group.end(true)
  group.begin(1)
  expect([...group.sums]).toEqual([])
})
