import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { programOf } from './programs.ts'

export interface PaidOutput {
  /** output script, in hexadecimal */
  script: string
  /** amount of the output, atomic */
  amount: bigint
}

interface Coin {
  txid: string
  vout: number
}

export interface NodeBlock {
  hash: string
  height: number
  /** hash of the block before; missing in the first block */
  previousblockhash?: string
  time: number
  tx: NodeTransaction[]
}

export interface NodeTransaction {
  txid: string
  vin: { txid?: string; vout?: number; coinbase?: string }[]
  vout: { value: number; n: number; scriptPubKey: { hex: string } }[]
}

const START_MS = 15_000
const MATURE_BLOCKS = 101
/** The number of coins that the wallet may spend at first. More coins make every payment slower. */
const SPENDABLE_COINS = 4
const FEE_RATE = 0.001
const ANY_FEE = 0
const SOME = 100_000n
const KEPT_WHEN_REPLACED = 0.9
/** The number of hexadecimal digits of an input without a signature. */
const INPUT_DIGITS = 82

const littleEndian = (value: bigint, bytes: number): string =>
  Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')
    .reverse()
    .toString('hex')

const printOutput = ({ script, amount }: PaidOutput): string =>
  littleEndian(amount, 8) + littleEndian(BigInt(script.length / 2), 1) + script

/** A transaction without inputs, which the node funds. It can pay any script, even the same one twice. */
const unfunded = (outputs: readonly PaidOutput[]): string =>
  `0200000000${littleEndian(BigInt(outputs.length), 1)}${outputs.map(printOutput).join('')}00000000`

/** A new receiver for each block: a block equal to a reorganised one would be refused. */
const strangersScript = (): string => `raw(0014${randomBytes(20).toString('hex')})`

/** A real Litecoin node on a private chain, which mines only on request, with a wallet that can pay. */
export async function startLitecoind() {
  const folder = mkdtempSync(join(tmpdir(), 'florin-litecoind-'))
  const port = freePort()
  const credentials = 'user:secretword'
  const [user, password] = credentials.split(':')
  const flags = [
    '-regtest',
    `-datadir=${folder}`,
    '-server',
    `-rpcuser=${user}`,
    `-rpcpassword=${password}`,
    `-rpcport=${port}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    '-listen=0',
    '-connect=0',
    '-dnsseed=0',
    '-fallbackfee=0.0001',
    '-rpcservertimeout=1',
    '-rpcworkqueue=1000',
    '-printtoconsole=0',
    '-mempoolreplacement=1',
    // By default a new wallet derives thousands of keys.
    '-keypool=1',
    // By default extension blocks begin at height 432, and then need a transaction that moves coins into
    // them.
    '-vbparams=mweb:9999999999:9999999999',
  ]
  const child = Bun.spawn([programOf('litecoind'), ...flags], { stdout: 'ignore', stderr: 'ignore' })
  const kill = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', kill)
  async function stop(): Promise<void> {
    process.off('exit', kill)
    child.kill('SIGKILL')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }

  async function rpc<T = string>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(credentials)}` },
      body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result: T; error: { message: string } | null }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  const blocks = new Map<string, NodeBlock>()
  /** The block with this hash. It never changes, so it is cached for all fronts that follow the node. */
  async function blockOf(hash: string): Promise<NodeBlock> {
    const block = blocks.get(hash) ?? (await rpc<NodeBlock>('getblock', hash, 2))
    blocks.set(hash, block)
    return block
  }

  await listening(rpc)
  await rpc('createwallet', 'payer')
  await rpc('generatetoaddress', MATURE_BLOCKS, await rpc('getnewaddress'))
  const mine = (blocks = 1): Promise<string[]> => rpc('generatetodescriptor', blocks, strangersScript())
  const earned = await rpc<Coin[]>('listtransactions', '*', MATURE_BLOCKS)
  const reserve = earned.slice(SPENDABLE_COINS).map(({ txid, vout }) => ({ txid, vout }))
  await rpc('lockunspent', false, reserve)

  async function fund(hex: string, options: object): Promise<string> {
    try {
      return (await rpc<{ hex: string }>('fundrawtransaction', hex, options, false)).hex
    } catch (error) {
      if (!String(error).includes('Insufficient funds') || reserve.length === 0) throw error
      await rpc('lockunspent', true, reserve.splice(0, SPENDABLE_COINS))
      return fund(hex, options)
    }
  }

  const signed = async (hex: string): Promise<string> =>
    (await rpc<{ hex: string }>('signrawtransactionwithwallet', hex)).hex

  /**
   * A signed transaction with these outputs in order, in hexadecimal. Amounts of zero are inserted after the
   * funding, because the wallet would refuse them.
   */
  async function written(outputs: readonly PaidOutput[]): Promise<string> {
    const options = { replaceable: true, changePosition: outputs.length, feeRate: FEE_RATE }
    const some = outputs.map(({ script, amount }) => ({ script, amount: amount || SOME }))
    const funded = await fund(unfunded(some), options)
    const printed = outputs.reduce(
      (hex, output, index) => hex.replace(printOutput(some[index]!), printOutput(output)),
      funded,
    )
    return signed(printed)
  }
  const send = (hex: string): Promise<string> => rpc('sendrawtransaction', hex, ANY_FEE)

  /** Sends a transaction to the node; returns its ID. */
  const pay = async (...outputs: PaidOutput[]): Promise<string> => send(await written(outputs))

  /** Spends the inputs of an unconfirmed transaction back to the payer, with a higher fee. */
  async function replace(txId: string): Promise<string> {
    const { vin, vout } = await rpc<NodeTransaction>('getrawtransaction', txId, true)
    const inputs = vin.map(({ txid, vout }) => ({ txid, vout, sequence: 0xfffffffd }))
    const most = vout.reduce((sum, { value }) => sum + value, 0) * KEPT_WHEN_REPLACED
    const hex = await rpc('createrawtransaction', inputs, { [await rpc('getnewaddress')]: most.toFixed(8) })
    return send(await signed(hex))
  }

  /** Pays the same output with the inputs of an unconfirmed transaction, with a higher fee. */
  async function bump(txId: string, output: PaidOutput): Promise<string> {
    const { vin, vout } = await rpc<NodeTransaction>('getrawtransaction', txId, true)
    const inputs = vin.map(({ txid, vout }) => ({ txid, vout, sequence: 0xfffffffd }))
    const bare = await rpc('createrawtransaction', inputs, { [await rpc('getnewaddress')]: 1 })
    const change = vout.find(({ scriptPubKey }) => scriptPubKey.hex !== output.script)!
    const rest = BigInt(Math.round(change.value * KEPT_WHEN_REPLACED * 1e8))
    const outputs = [output, { script: change.scriptPubKey.hex, amount: rest }]
    const end = unfunded(outputs).slice('0200000000'.length, -'00000000'.length)
    const head = bare.slice(0, '02000000'.length + 2 + inputs.length * INPUT_DIGITS)
    return send(await signed(`${head}${end}00000000`))
  }

  return {
    url: `http://${credentials}@127.0.0.1:${port}`,
    rpc,
    mine,
    pay,
    replace,
    bump,
    /** Mines a block with a transaction that no node would relay. */
    async minePaying(...outputs: PaidOutput[]) {
      await rpc('generateblock', strangersScript(), [await written(outputs)])
    },
    /** Mines blocks without transactions of the mempool. */
    async mineEmpty(blocks = 1) {
      for (let mined = 0; mined < blocks; mined++) await rpc('generateblock', strangersScript(), [])
    },
    head: () => rpc<number>('getblockcount'),
    hashAt: (height: number) => rpc('getblockhash', height),
    blockOf,
    /** Invalidates the newest blocks, whose transactions return to the mempool. */
    async takeBack(blocks: number) {
      const height = await rpc<number>('getblockcount')
      await rpc('invalidateblock', await rpc('getblockhash', height - blocks + 1))
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export type Litecoind = Awaited<ReturnType<typeof startLitecoind>>

async function listening(rpc: (method: string) => Promise<unknown>): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    try {
      await rpc('getblockchaininfo')
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await Bun.sleep(20)
    }
  }
}
