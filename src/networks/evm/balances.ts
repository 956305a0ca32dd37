import { asserted } from '../../domain/errors.ts'
import { readBytes, toQuantity } from '../evm-like/hex.ts'
import { type Header, headerAt, latestHeader } from '../evm-like/rpc-calls.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { balanceAt, tokenBalanceAt } from './rpc-calls.ts'
import { balanceQuery } from './sweep/queries.ts'

/**
 * EVM code that a node runs in `eth_call` as the creation of a contract, which stores nothing. It returns the
 * time of the block, and the coin balance of each address that follows the code.
 */
const COIN_PROGRAM =
  '0x42602052602f60405b38821015602757601482600c3960005131815260200190601401906008565b602080910390f3'

/**
 * EVM code like `COIN_PROGRAM`, for the balances of a token. The token's contract follows the code, and the
 * addresses follow the contract.
 */
const TOKEN_PROGRAM =
  '0x426060526370a0823160e01b6000526014605960403960405160601c606d60805b388210156051576014826010396020816024' +
  '6000865afa601f3d111660455760001981525b60200190601401906020565b606080910390f3'

const WORD_CHARACTERS = 64
/** The balance that the program returns for a token that reports no balance. */
const UNKNOWN = 2n ** 256n - 1n
/**
 * Max addresses in one call, which use less than half of the contract size and of the gas that nodes allow.
 */
const ADDRESSES_AT_ONCE = 400
/** A node that did not run the program is asked to run it again after this many scans. */
const SCANS_WITHOUT_PROGRAM = 100
/** Up to this many balances, single queries are cheaper than the program. */
const SINGLE_QUERIES_MAX = 4

/**
 * Sends queries about the block of `head`. Throws Reorganised if the node has another block at its height.
 */
export async function askAtHead<T>(node: Node, head: Header, queries: Query<T>[]): Promise<T[]> {
  if (queries.length === 0) return []
  const [block, ...answers] = await ask<[Header | null, ...T[]]>(node, [headerAt(head.height), ...queries])
  if (block?.hash !== head.hash) throw new Reorganised()
  return answers
}

/** Addresses whose balances of one asset are read. */
interface Holders {
  /** the contract of a token; null for the chain's own coin */
  contract: string | null
  addresses: string[]
}

/** Balances by address; null if the token reports no balance. */
type Balances = Map<string, bigint | null>

/** Reads many balances in few queries, or one by one from a node that does not run the program. */
export class BalanceReader {
  readonly #scansWithoutProgram = new WeakMap<Node, number>()

  /** Reads balances at the head, in the order of the groups, which may be empty. Throws NetworkError. */
  async read(node: Node, groups: Holders[], head: Header): Promise<Balances[]> {
    const count = groups.reduce((sum, { addresses }) => sum + addresses.length, 0)
    const batch = count > SINGLE_QUERIES_MAX && (await this.#runPrograms(node, groups, head))
    return batch || readSingly(node, groups, head)
  }

  /**
   * Reads balances at the newest block, and that block, in one request if the node runs the programs. Throws
   * NetworkError.
   */
  async readNewest(node: Node, groups: Holders[]): Promise<{ head: Header; balances: Balances[] }> {
    let head: Header | undefined
    const askNewest = async <T>(queries: Query<T>[]): Promise<T[]> => {
      const [newest, ...answers] = await ask<[Header, ...T[]]>(node, [latestHeader, ...queries])
      head = newest
      return answers
    }
    const balances =
      (await this.#runAll(node, groups, parts => askNewest(parts.map(part => programQuery(part, null))))) ??
      fromSingle(
        groups,
        await askNewest(
          groups.flatMap(({ contract, addresses }) =>
            addresses.map(address => balanceQuery(address, contract)),
          ),
        ),
      )
    return { head: asserted(head, 'the newest block was read'), balances }
  }

  /** Reads balances with the programs; null if the node does not run them. */
  #runPrograms(node: Node, groups: Holders[], head: Header): Promise<Balances[] | null> {
    return this.#runAll(node, groups, parts =>
      askAtHead(
        node,
        head,
        parts.map(part => programQuery(part, head)),
      ),
    )
  }

  async #runAll(
    node: Node,
    groups: Holders[],
    run: (parts: Holders[]) => Promise<(bigint[] | null)[]>,
  ): Promise<Balances[] | null> {
    const left = this.#scansWithoutProgram.get(node) ?? 0
    this.#scansWithoutProgram.set(node, left - 1)
    if (left > 0) return null
    const parts = groups.flatMap((group, of) => inParts(group).map(part => ({ of, ...part })))
    const answers = await run(parts)
    if (answers.includes(null)) {
      this.#scansWithoutProgram.set(node, SCANS_WITHOUT_PROGRAM)
      return null
    }
    const balances = groups.map((): Balances => new Map())
    for (const [index, { of, addresses, contract }] of parts.entries()) {
      for (const [place, balance] of asserted(answers[index], 'each part has an answer').entries()) {
        const isUnknown = contract !== null && balance === UNKNOWN
        asserted(balances[of], 'each group has its balances').set(
          asserted(addresses[place], 'each balance has its address'),
          isUnknown ? null : balance,
        )
      }
    }
    return balances
  }
}

function inParts({ contract, addresses }: Holders): Holders[] {
  const unique = [...new Set(addresses)]
  return Array.from({ length: Math.ceil(unique.length / ADDRESSES_AT_ONCE) }, (_, index) => ({
    contract,
    addresses: unique.slice(index * ADDRESSES_AT_ONCE, (index + 1) * ADDRESSES_AT_ONCE),
  }))
}

async function readSingly(node: Node, groups: Holders[], head: Header): Promise<Balances[]> {
  const queries = groups.flatMap(({ contract, addresses }) =>
    addresses.map(address =>
      contract === null ? balanceAt(address, head.height) : tokenBalanceAt(contract, address, head.height),
    ),
  )
  return fromSingle(groups, await askAtHead(node, head, queries))
}

function fromSingle(groups: Holders[], answers: (bigint | null)[]): Balances[] {
  return groups.map(({ contract, addresses }) => {
    const own = answers.splice(0, addresses.length)
    if (contract === null && own.includes(null)) {
      throw new NetworkError('does not know the balances of its newest block')
    }
    return new Map(addresses.map((address, index) => [address, own[index] ?? null]))
  })
}

/**
 * Runs the program at `head`, or at the newest block if `head` is null. The result is null if the node did
 * not run the program there.
 */
const programQuery = ({ contract, addresses }: Holders, head: Header | null): Query<bigint[] | null> => ({
  call: {
    method: 'eth_call',
    params: [
      {
        data:
          (contract === null ? COIN_PROGRAM : TOKEN_PROGRAM + contract.slice(2).toLowerCase()) +
          addresses.map(address => address.slice(2)).join(''),
      },
      head === null ? 'latest' : toQuantity(head.height),
    ],
  },
  read(json) {
    const digits = readBytes(json).slice(2)
    if (digits.length !== (addresses.length + 1) * WORD_CHARACTERS) return null
    const [time, ...balances] = Array.from({ length: addresses.length + 1 }, (_, index) =>
      BigInt(`0x${digits.slice(index * WORD_CHARACTERS, (index + 1) * WORD_CHARACTERS)}`),
    )
    return head === null || time === BigInt(head.at / 1000) ? balances : null
  },
  onRefused: () => null,
})
