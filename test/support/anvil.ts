import { existsSync } from 'node:fs'
import { join } from 'node:path'
import contracts from './test-tokens.json' with { type: 'json' }

export type ContractName = keyof typeof contracts

export interface Transaction {
  /** the sender of the transaction; the first unlocked account by default */
  from?: string
  to?: string
  data?: string
  value?: bigint
  gas?: number
}

export interface TransactionReceipt {
  status: string
  gasUsed: bigint
  blockNumber: number
  blockHash: string
  contractAddress: string
  transactionHash: string
}

interface AnvilOptions {
  chainId?: number
  /** the finalized block is two epochs behind the head */
  slotsInAnEpoch?: number
  hardfork?: string
}

const packaged = join(import.meta.dir, '../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil')
const program = existsSync(packaged) ? packaged : 'anvil'

const TEST_GAS = 8_000_000

export const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0')

/** A real EVM node that mines only on request. The sender is its first unlocked account by default. */
export async function startAnvil({ chainId = 31337, slotsInAnEpoch = 32, hardfork }: AnvilOptions = {}) {
  const flags = ['--port', '0', '--host', '127.0.0.1', '--no-mining', '--chain-id', `${chainId}`]
  flags.push('--slots-in-an-epoch', `${slotsInAnEpoch}`)
  if (hardfork) flags.push('--hardfork', hardfork)
  const child = Bun.spawn([program, ...flags], { stdout: 'pipe', stderr: 'ignore' })
  const url = `http://${await listeningOn(child.stdout)}`

  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  async function stop(): Promise<void> {
    process.off('exit', kill)
    kill()
    await child.exited
  }

  async function rpc<T = string>(method: string, params: unknown[] = []): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answer = (await response.json()) as { result: T; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  const [first] = await rpc<string[]>('eth_accounts')

  /** Sends a transaction, which the node mines in its next block. */
  const send = ({ from = first, to, data, value, gas = TEST_GAS }: Transaction): Promise<string> =>
    rpc('eth_sendTransaction', [
      { from, to, data, gas: `0x${gas.toString(16)}`, value: `0x${(value ?? 0n).toString(16)}` },
    ])

  const mine = async (blocks = 1): Promise<void> => {
    await rpc('anvil_mine', [`0x${blocks.toString(16)}`])
  }

  async function receipt(hash: string): Promise<TransactionReceipt> {
    const raw = await rpc<Record<string, string>>('eth_getTransactionReceipt', [hash])
    return {
      ...(raw as unknown as TransactionReceipt),
      gasUsed: BigInt(raw.gasUsed!),
      blockNumber: Number(raw.blockNumber),
    }
  }

  /** Sends and mines a transaction. */
  async function run(transaction: Transaction): Promise<TransactionReceipt> {
    const hash = await send(transaction)
    await mine()
    return receipt(hash)
  }

  const read = async (to: string, data: string): Promise<bigint> =>
    BigInt(await rpc('eth_call', [{ to, data }, 'latest']))

  return {
    url,
    from: first!,
    rpc,
    mine,
    send,
    run,
    receipt,
    head: async () => Number(await rpc('eth_blockNumber')),
    balance: async (address: string) => BigInt(await rpc('eth_getBalance', [address, 'latest'])),
    balanceOf: (token: string, owner: string) => read(token, `0x70a08231${word(owner)}`),
    deploy: async (name: ContractName) => (await run({ data: contracts[name] })).contractAddress,
    sendNative: (to: string, value: bigint) => send({ to, value }),
    sendToken: (token: string, to: string, amount: bigint) =>
      send({ to: token, data: `0xa9059cbb${word(to)}${word(amount)}` }),
    /** Replaces the last blocks with empty ones. */
    reorganise: (depth: number) => rpc('anvil_reorg', [depth, []]),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** Waits for the address, then keeps reading, because a node that prints into a full or closed pipe stops. */
function listeningOn(stdout: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((found, missed) => {
    const read = async () => {
      let printed = ''
      for await (const chunk of stdout) {
        if (printed.length < 100_000) printed += new TextDecoder().decode(chunk)
        const match = /Listening on (\S+)/.exec(printed)
        if (match) found(match[1]!)
      }
      missed(new Error('anvil ended before it listened'))
    }
    void read()
  })
}
