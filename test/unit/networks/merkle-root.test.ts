import { expect, test } from 'bun:test'
import { merkleRoot } from '../../../src/networks/bitcoin/readers/merkle-root.ts'

const genesis = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'

test('the Merkle root of a block with one transaction is its ID, and a block without transactions has none', () => {
  expect(merkleRoot([genesis])).toBe(genesis)
  expect(merkleRoot([])).toBeNull()
})

test('the Merkle root of block 100,000 of Bitcoin is computed', () => {
  const ids = [
    '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
    'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
    '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
    'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
  ]
  const root = 'f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766'
  expect(merkleRoot(ids)).toBe(root)
  for (let left = 0; left < ids.length; left++) expect(merkleRoot(ids.toSpliced(left, 1))).not.toBe(root)
})
