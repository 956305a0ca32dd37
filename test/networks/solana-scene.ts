import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { Asset } from '../../src/domain/asset.ts'
import type { Json } from '../../src/domain/metadata.ts'
import type { Fetch, Network, NetworkOptions, Watch, WatchResult } from '../../src/networks/port.ts'
import { solanaNetwork } from '../../src/networks/solana/network.ts'
import { addressWithSeed } from '../../src/networks/solana/seed-address.ts'
import { replacing } from '../support/calls.ts'
import { firstCursor } from '../support/first-cursor.ts'
import { type Solana, startSolana } from '../support/solana.ts'

export const DECIMALS = 6
export const SOL = 1_000_000_000n

/** Intercepts each request. `pass` sends it to the node. */
export type Tap = (body: string, pass: () => Promise<Response>, url: string) => Promise<Response>

async function createMint(solana: Solana, payer: KeyPairSigner): Promise<Address> {
  const mint = await generateKeyPairSigner()
  const space = getMintSize()
  const programAddress = TOKEN_PROGRAM_ADDRESS
  await solana.send(
    [payer, mint],
    [
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        lamports: 1_461_600n,
        space,
        programAddress,
      }),
      getInitializeMint2Instruction({
        mint: mint.address,
        decimals: DECIMALS,
        mintAuthority: payer.address,
      }),
    ],
  )
  const tokenAccount = await ataOf(payer.address, mint.address)
  await solana.send(payer, [
    createAta(payer, payer.address, mint.address, tokenAccount),
    getMintToInstruction({
      mint: mint.address,
      token: tokenAccount,
      mintAuthority: payer,
      amount: 1_000_000_000_000n,
    }),
  ])
  return mint.address
}

export async function ataOf(owner: string, mint: string): Promise<Address> {
  const tokenProgram = TOKEN_PROGRAM_ADDRESS
  const [ata] = await findAssociatedTokenPda({ owner: owner as Address, mint: mint as Address, tokenProgram })
  return ata
}

export const createAta = (payer: KeyPairSigner, owner: string, mint: string, ata: Address): Instruction =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata,
    owner: owner as Address,
    mint: mint as Address,
  })

export const pay = (payer: KeyPairSigner, to: string, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: payer, destination: to as Address, amount })

/** A transfer from the payer's token account to that of the owner, or to the account `to`. */
export async function payToken(
  payer: KeyPairSigner,
  owner: string,
  mint: string,
  amount: bigint,
  to?: Address,
): Promise<Instruction> {
  return getTransferCheckedInstruction({
    source: await ataOf(payer.address, mint),
    mint: mint as Address,
    destination: to ?? (await ataOf(owner, mint)),
    authority: payer,
    amount,
    decimals: DECIMALS,
  })
}

interface Options {
  depth?: Pick<Asset, 'finality' | 'confirmations'>
  options?: Partial<NetworkOptions>
}

/** A real SVM with two tokens of the table and an unknown token, and a network that watches it. */
export async function openScene({ depth, options }: Options = {}) {
  const solana = startSolana()
  const payer = await solana.wallet()
  const usdc = await createMint(solana, payer)
  const usdt = await createMint(solana, payer)
  const fake = await createMint(solana, payer)
  const row = (ticker: string, decimals: number, contract: string | null): Asset => ({
    id: `solana/${ticker.toLowerCase()}`,
    chain: 'solana',
    network: 'solana',
    ticker,
    name: `${ticker} on a test chain`,
    decimals,
    quoteDecimals: 6,
    minimum: contract === null ? 890_880n : 1n,
    confirmations: 32,
    finality: true,
    ...depth,
    chainId: null,
    contract,
  })
  const assets = { sol: row('SOL', 9, null), usdc: row('USDC', 6, usdc), usdt: row('USDT', 6, usdt) }
  const traffic = { requests: 0, calls: [] as string[], tap: honest }
  const time = { now: Date.now() }
  const tapped: Fetch = (url, init) => {
    const body = String(init?.body)
    traffic.requests += 1
    traffic.calls.push(...[JSON.parse(body)].flat().map(({ method }: { method: string }) => method))
    return traffic.tap(body, () => fetch(solana.url, init), url)
  }
  const watcher = (change: Partial<NetworkOptions> = {}): Network =>
    solanaNetwork({
      chain: 'solana',
      assets: Object.values(assets),
      endpoints: [{ protocol: 'jsonrpc', url: solana.url }],
      fetch: tapped,
      clock: () => time.now,
      ...options,
      ...change,
    })
  /** The calls of one method since the last `forget`. */
  const callsOf = (method: string): number => traffic.calls.filter(call => call === method).length
  const forget = () => Object.assign(traffic, { requests: 0, calls: [] })
  const network = watcher()
  const merchant = await solana.wallet()
  /** Opens an attempt for SOL at an address that is derived from the merchant's wallet. */
  const openSol = (by = network): Promise<Attempt> => openSeed(by, assets.sol, merchant.address)
  const sendSol = (address: string, amount = SOL) => solana.send(payer, [pay(payer, address, amount)])
  const own = { ...assets, network, watcher, merchant, openSol, sendSol }
  return { solana, payer, fake, ...own, traffic, time, callsOf, forget }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

export const honest: Tap = (_, pass) => pass()

/** Replaces the node's replies to one method, unless `own` returns undefined. */
export const answering =
  (method: string, own: (reply: { result: Json }, params: Json[]) => object | undefined) =>
  async (body: string, pass: () => Promise<Response>): Promise<Response> =>
    replacing(body, await pass(), (call, reply) =>
      call.method === method ? (own(reply as { result: Json }, call.params as Json[]) ?? null) : null,
    )

/** The scene of a test file, honest again after each test; with `each`, one for each test. */
export function useScene({ each = false, ...options }: Options & { each?: boolean } = {}): Scene {
  const scene = {} as Scene
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    Object.assign(scene, await openScene(options))
  })
  afterEach(() => {
    scene.traffic.tap = honest
    scene.solana.state.health = 'ok'
  })
  after(() => scene.solana.stop())
  return scene
}

/** One attempt, whose cursor is stored between scans as in the product. */
export type Attempt = Watch

let opened = 0

export async function openSeed(network: Network, asset: Asset, payout: string): Promise<Attempt> {
  const attemptId = `attempt-${++opened}`
  const address = addressWithSeed(payout, attemptId)
  return openOn(network, asset, attemptId, address, { kind: 'seed', payout, seed: attemptId })
}

export const openPool = async (network: Network, asset: Asset, address: string): Promise<Attempt> =>
  openOn(network, asset, `attempt-${++opened}`, address, { kind: 'pool', index: opened })

async function openOn(
  network: Network,
  asset: Asset,
  attemptId: string,
  address: string,
  source: { [key: string]: string | number },
): Promise<Attempt> {
  const own = { attemptId, address, source }
  return { ...own, asset, cursor: await firstCursor(network, asset, own), requiredEndpoints: 1 }
}

export async function scanWatches(network: Network, ...attempts: Attempt[]): Promise<WatchResult[]> {
  const results = await network.scan(attempts)
  return attempts.map(attempt => {
    const own = results.find(({ attemptId }) => attemptId === attempt.attemptId)!
    attempt.cursor = own.cursor
    return own
  })
}

/** The payments that one scan finds for an attempt: asset, amount, and true if it is final. */
export async function scanPayments(network: Network, attempt: Attempt): Promise<[string, bigint, boolean][]> {
  const [results] = await scanWatches(network, attempt)
  return results!.detectedPayments.map(({ assetId, amountAtomic, final }) => [assetId, amountAtomic, final])
}
