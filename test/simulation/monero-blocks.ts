import { blockHash } from '../../src/networks/monero/block-hash.ts'
import { type Chain, transactionId } from './chain.ts'

const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'
/** The number of blocks below the first one of a history. Nothing requests older ones. */
const BLOCKS_BELOW = 10_000
const VERSION = 16

const headerOf = (previous: string, height: number, at: number) => ({
  major_version: VERSION,
  minor_version: VERSION,
  timestamp: Math.floor(at / 1000),
  prev_hash: previous,
  nonce: height,
  miner_tx_hash: height.toString(16).padStart(64, '0'),
})

/** The fields of a block that its hash covers, without its transactions. */
export type HashedHeader = ReturnType<typeof headerOf>

/** The hashes of the blocks below the first one, by the height of the lowest. All histories share them. */
const belowOf = new Map<number, string[]>()

/** The blocks of a chain by their Monero hashes, which cover everything in a block. */
export class MoneroBlocks {
  readonly #chain: Chain
  readonly #lowest: number
  readonly #names: string[] = []
  readonly #hashes: string[] = []
  readonly #heights = new Map<string, number>()

  constructor(chain: Chain) {
    this.#chain = chain
    this.#lowest = chain.firstHeight - BLOCKS_BELOW
    const below = belowOf.get(this.#lowest) ?? []
    belowOf.set(this.#lowest, below)
    while (below.length < BLOCKS_BELOW) {
      const height = this.#lowest + below.length
      below.push(blockHash(this.#headerOn(below.at(-1) ?? GENESIS, height), []))
    }
    this.#hashes = [...below]
    this.#names = below.map((_, index) => chain.hashOf(this.#lowest + index))
  }

  /** The height of a block whose hash was returned before. */
  heightOf(hash: string): number | undefined {
    return this.#heights.get(hash)
  }

  hashAt(height: number): string {
    if (height === 0) return GENESIS
    if (height < this.#lowest) return this.inventedOn(GENESIS, height).hash
    let known = height
    while (this.#names[known - this.#lowest] !== this.#chain.hashOf(known)) known -= 1
    for (let next = known + 1; next <= height; next++) {
      const previous = this.#hashes[next - 1 - this.#lowest]!
      const ids = this.#chain.between(next, next).map(transactionId)
      const hash = blockHash(this.#headerOn(previous, next), ids)
      this.#names[next - this.#lowest] = this.#chain.hashOf(next)
      this.#hashes[next - this.#lowest] = hash
      this.#heights.set(hash, next)
    }
    return this.#hashes[height - this.#lowest]!
  }

  headerAt(height: number): HashedHeader {
    if (height === 0) return headerOf('0'.repeat(64), 0, 0)
    return this.#headerOn(height < this.#lowest ? GENESIS : this.hashAt(height - 1), height)
  }

  /** Makes a block on top of another one, which no other daemon has. */
  inventedOn(previous: string, height: number): { hash: string; header: HashedHeader } {
    const header = this.#headerOn(previous, height)
    const hash = blockHash(header, [])
    this.#heights.set(hash, height)
    return { hash, header }
  }

  #headerOn(previous: string, height: number): HashedHeader {
    return headerOf(previous, height, this.#chain.timeOf(height))
  }
}
