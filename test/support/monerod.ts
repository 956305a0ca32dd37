import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { merchantOf } from './monero-payment.ts'
import { type Program, programOf } from './programs.ts'

// biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON
type DaemonJson = any

const START_MS = 60_000
const payer = merchantOf('payer')

/**
 * A reward can be spent after 60 blocks, in a ring with 15 other outputs. A wallet looks for 75 outputs to
 * choose them from, and takes very long if there are few more than that.
 */
const FIRST_BLOCKS = 100

/**
 * The database of a daemon that mined the first blocks for the payer, which takes 8 seconds of a core. To
 * make it again, so that no computer's clock is behind it: `faketime '2026-03-01 10:00:00' bun
 * test/support/monerod.ts`
 */
const RECORDED = join(import.meta.dir, 'monero-chain.mdb.zst')
const databaseIn = (dir: string) => join(dir, 'chain', 'fake', 'lmdb', 'data.mdb')

interface Transfer {
  amount: bigint
  address: string
}

/** A private Monero chain that mines on demand, and the wallet of the payers; without blocks if `isNew`. */
export async function startMonero({ isNew = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'monero-'))
  const [daemonPort, peerPort, walletPort] = [freePort(), freePort(), freePort()]
  const url = `http://127.0.0.1:${daemonPort}`
  const children: Bun.Subprocess[] = []
  const kill = () => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  }
  process.on('exit', kill)
  async function stop(): Promise<void> {
    process.off('exit', kill)
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(child => child.exited))
    rmSync(dir, { recursive: true, force: true })
  }
  const start = (program: Program, flags: string[]) => {
    children.push(
      Bun.spawn([programOf(program), ...flags], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }),
    )
  }
  const daemon = rpcOf(`${url}/json_rpc`)
  const wallet = rpcOf(`http://127.0.0.1:${walletPort}/json_rpc`)

  for (const name of ['chain/fake/lmdb', 'wallets']) mkdirSync(join(dir, name), { recursive: true })
  if (!isNew) writeFileSync(databaseIn(dir), Bun.zstdDecompressSync(readFileSync(RECORDED)))
  const peers = ['--p2p-bind-ip', '127.0.0.1', '--p2p-bind-port', `${peerPort}`, '--no-zmq']
  const quiet = ['--non-interactive', '--log-level', '0', '--log-file', join(dir, 'daemon.log')]
  start('monerod', [
    ...['--regtest', '--offline', '--fixed-difficulty', '1', '--data-dir', join(dir, 'chain')],
    ...['--keep-fakechain', '--rpc-bind-port', `${daemonPort}`, '--disable-rpc-ban', ...quiet],
    // Without this option, each daemon first makes a TLS key, which takes seconds of a core.
    ...['--rpc-ssl', 'disabled', ...peers],
  ])
  start('monero-wallet-rpc', [
    ...['--daemon-address', `127.0.0.1:${daemonPort}`, '--trusted-daemon', '--disable-rpc-login'],
    ...['--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled', '--rpc-bind-port', `${walletPort}`],
    ...['--wallet-dir', join(dir, 'wallets'), '--log-level', '0', '--log-file', join(dir, 'wallet.log')],
  ])
  const mine = (blocks = 1): Promise<DaemonJson> =>
    daemon('generateblocks', { amount_of_blocks: blocks, wallet_address: payer.payout })

  /** Sends a payment, which the daemon mines in the next block after relaying it. Returns its hash. */
  async function pay(destinations: Transfer[], more: object = {}): Promise<string> {
    const listed = destinations.map(({ amount, address }) => ({ amount: Number(amount), address }))
    const { tx_hash } = await wallet('transfer', { destinations: listed, ...more })
    await waitFor(async () => {
      const { txs } = await post(`${url}/get_transactions`, { txs_hashes: [tx_hash] })
      if (!txs?.[0]?.relayed) throw new Error(`${tx_hash} is not relayed`)
    })
    return tx_hash
  }

  async function openWallet(): Promise<void> {
    await waitFor(() => wallet('get_version'))
    const { payout: address, viewKey: viewkey, spendKey: spendkey } = payer
    await wallet('generate_from_keys', { filename: 'payer', password: '', address, viewkey, spendkey })
  }
  await waitFor(() => daemon('get_info'))
  const { height } = await daemon('get_info')
  // The last block is recent, as on a daemon that follows its chain.
  await Promise.all([mine(isNew ? FIRST_BLOCKS - 1 : FIRST_BLOCKS + 1 - height), openWallet()])
  await wallet('refresh')

  return {
    url,
    mine,
    pay,
    height: async () => (await daemon('get_info')).height - 1,
    /** Replaces the last blocks with empty ones and one more, and drops their transactions. */
    async reorganise(depth: number): Promise<void> {
      await post(`${url}/pop_blocks`, { nblocks: depth })
      await daemon('flush_txpool')
      await mine(depth + 1)
      await wallet('refresh')
    },
    async integrated(address: string): Promise<string> {
      const params = { standard_address: address, payment_id: '00000000000000a1' }
      return (await wallet('make_integrated_address', params)).integrated_address
    },
    /** Stops the daemon, and stores its database for later starts. */
    async record(): Promise<void> {
      await post(`${url}/stop_daemon`, {})
      await children[0]?.exited
      const database = readFileSync(databaseIn(dir))
      writeFileSync(RECORDED, Bun.zstdCompressSync(database, { level: 19 }))
    },
    stop,
  }
}

export type Monero = Awaited<ReturnType<typeof startMonero>>

async function post(url: string, content: object): Promise<DaemonJson> {
  const body = JSON.stringify(content)
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return response.json()
}

const rpcOf =
  (url: string) =>
  async (method: string, params: object = {}): Promise<DaemonJson> => {
    const { result, error } = await post(url, { jsonrpc: '2.0', id: 1, method, params })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port!
}

async function waitFor(ask: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await Bun.sleep(50)
    }
  }
}

if (import.meta.main) {
  const monero = await startMonero({ isNew: true })
  await monero.record()
  await monero.stop()
}
