import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { blockHash } from '../../../src/networks/monero/block-hash.ts'
import { NetworkError } from '../../../src/networks/port.ts'

/** The examples of "get_block" and "get_block_header_by_hash" in Monero's documentation of its daemon. */
const published = [
  {
    hash: 'e22cf75f39ae720e8b71b3d120a5ac03f0db50bba6379e2850975b4859190bc6',
    major_version: 1,
    minor_version: 2,
    timestamp: 1452793716,
    prev_hash: 'b61c58b2e0be53fad5ef9d9731a55e8a81d972b8d90ed07c04fd37ca6403ff78',
    nonce: 1646,
    miner_tx_hash: 'c7da3965f25c19b8eb7dd8db48dcd4e7c885e2491db77e289f0609bf8e08ec30',
    transactions: [],
  },
  {
    hash: '43bd1f2b6556dcafa413d8372974af59e4e8f37dbf74dc6b2a9b7212d0577428',
    major_version: 16,
    minor_version: 16,
    timestamp: 1667941829,
    prev_hash: 'b27bdecfc6cd0a46172d136c08831cf67660377ba992332363228b1b722781e7',
    nonce: 4110909056,
    miner_tx_hash: 'e49b854c5f339d7410a77f2a137281d8042a0ffc7ef9ab24cd670b67139b24cd',
    transactions: [],
  },
  {
    hash: '86d421322b700166dde2d7eba1cc8600925ef640abf6c0a2cc8ce0d6dd90abfd',
    major_version: 16,
    minor_version: 16,
    timestamp: 1667906904,
    prev_hash: 'f8a36d0dbe4d27d2f52160000563896048d71067c31e99a3869bf9b7142227bb',
    nonce: 184625235,
    miner_tx_hash: 'dabe07900d3123ed895612f4a151adb3e39681b145f0f85bfee23ea1fe47acf2',
    transactions: [
      'a89e380a44d8dfc64b551baa171447a0f9c9262255be6e8f8ef10896e36e2bf9',
      '0c4d343e416e394ad9cc10b7d2df7b2f39370a554730f75dfcb04944bd62c299',
    ],
  },
]

test.each(published)('the hash of published block $hash is computed', ({ hash, transactions, ...header }) => {
  expect(blockHash(header, transactions)).toBe(hash)
})

test('no transaction can be left out, added or moved without changing the hash', () => {
  const [header] = published
  const id = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => bytes.toHex())
  const ids = fc.uniqueArray(id, { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(ids, fc.nat(), (all, at) => {
      const place = at % all.length
      const hash = blockHash(header!, all)
      expect(blockHash(header!, all.toSpliced(place, 1))).not.toBe(hash)
      expect(blockHash(header!, [...all, all[place]!])).not.toBe(hash)
      expect(blockHash(header!, all.toReversed())).not.toBe(hash)
    }),
    { numRuns: 50 },
  )
})

test.each(['major_version', 'timestamp', 'prev_hash', 'nonce', 'miner_tx_hash'])(
  'a header without %s is a network error',
  field => {
    expect(() => blockHash({ ...published[0]!, [field]: undefined }, [])).toThrow(NetworkError)
  },
)
