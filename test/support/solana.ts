import { createHash } from 'node:crypto'
import {
  type Address,
  address as addressOf,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  type EncodedAccount,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_ACCOUNT_BYTES = 165
const FINAL_AFTER = 32
const GENESIS = createHash('sha256').update('a chain of our own').digest()

const base58 = getBase58Decoder()
const ranks = { processed: 0, confirmed: 1, finalized: 2 }
type Commitment = keyof typeof ranks

interface RecordedTransaction {
  signature: string
  slot: bigint
  err: unknown
  keys: Address[]
  answer: object
  /** the accounts before the transaction, for a fork without it */
  before: EncodedAccount[]
}

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

interface Options {
  before?: string
  until?: string
  limit?: number
  commitment?: Commitment
  minContextSlot?: number
  dataSlice?: { offset: number; length: number }
}

type Method = (first: never, second?: Options) => unknown

/**
 * The real SVM with the real programs, behind the RPC of a Solana node. Each transaction makes a slot, which
 * is confirmed one slot later and final 32 slots later.
 */
export function startSolana() {
  const svm = new LiteSVM()
  /** a node that has lost the time of a block reports null */
  const blockTime = (): number | null => Math.floor(Date.now() / 1000)
  const state = { slot: 1000n, health: 'ok', blockTime }
  let recorded: RecordedTransaction[] = []

  const commitmentOf = (slot: bigint): Commitment => {
    const depth = state.slot - slot
    return depth >= FINAL_AFTER ? 'finalized' : depth >= 1 ? 'confirmed' : 'processed'
  }
  const isAt = (slot: bigint, commitment: Commitment = 'finalized'): boolean =>
    ranks[commitmentOf(slot)] >= ranks[commitment]
  const slotAt = (commitment: Commitment = 'finalized'): bigint =>
    state.slot - { processed: 0n, confirmed: 1n, finalized: BigInt(FINAL_AFTER) }[commitment]
  const withContext = (value: unknown) => ({ context: { slot: state.slot }, value })

  const accountOf = (key: string): EncodedAccount => {
    const found = svm.getAccount(addressOf(key))
    if (found.exists) return found
    const nothing = { executable: false, lamports: lamports(0n), space: 0n, data: new Uint8Array() }
    return { ...nothing, address: addressOf(key), programAddress: addressOf('1'.repeat(32)) }
  }
  const presentAccount = (key: string, slice?: Options['dataSlice']) => {
    const account = accountOf(key)
    if (account.lamports === 0n) return null
    const { offset, length } = slice ?? { offset: 0, length: account.data.length }
    return {
      lamports: account.lamports,
      owner: account.programAddress,
      executable: account.executable,
      data: [Buffer.from(account.data.slice(offset, offset + length)).toString('base64'), 'base64'],
      rentEpoch: 0,
      space: account.data.length,
    }
  }

  const tokenBalances = (accounts: EncodedAccount[]) =>
    accounts.flatMap(({ data: content, programAddress }, accountIndex) => {
      if (programAddress !== TOKEN_PROGRAM || content.length !== TOKEN_ACCOUNT_BYTES) return []
      const mint = base58.decode(content.slice(0, 32))
      const amount = new DataView(content.buffer, content.byteOffset).getBigUint64(64, true).toString()
      const decimals = accountOf(mint).data[44]
      const owner = base58.decode(content.slice(32, 64))
      return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM, uiTokenAmount: { amount, decimals } }]
    })

  /** Runs a signed transaction in a new slot. Returns its signature. */
  function run(transaction: Transaction, slots = 1n): string {
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    const keys = message.staticAccounts
    const signature = base58.decode(Object.values(transaction.signatures)[0]!)
    const before = keys.map(accountOf)
    const outcome = svm.sendTransaction(transaction)
    const hasFailed = outcome instanceof FailedTransactionMetadata
    const reason = hasFailed ? String(outcome.toString()) : ''
    const fees = before[0]!.lamports - accountOf(keys[0]!).lamports
    if (hasFailed && fees === 0n) throw new RpcError(-32002, `Transaction simulation failed: ${reason}`)
    const after = keys.map(accountOf)
    const err = hasFailed ? { InstructionError: [0, reason] } : null
    const { numSignerAccounts } = message.header
    const accountKeys = keys.map((pubkey, index) => ({
      pubkey,
      signer: index < numSignerAccounts,
      writable: true,
      source: 'transaction',
    }))
    const answer = {
      slot: state.slot,
      blockTime: state.blockTime(),
      version: 'legacy',
      transaction: { signatures: [signature], message: { accountKeys, instructions: [] } },
      meta: {
        err,
        fee: 5000,
        preBalances: before.map(account => account.lamports),
        postBalances: after.map(account => account.lamports),
        preTokenBalances: tokenBalances(before),
        postTokenBalances: tokenBalances(after),
        logMessages: [],
      },
    }
    recorded.push({ signature, slot: state.slot, err, keys, answer, before })
    state.slot += slots
    svm.expireBlockhash()
    return signature
  }

  function list(key: string, { before, until, limit = 1000, commitment, minContextSlot = 0 }: Options = {}) {
    if (slotAt(commitment) < minContextSlot) throw new RpcError(-32016, 'Minimum context slot not reached')
    let own = recorded
      .filter(({ keys, slot }) => keys.includes(addressOf(key)) && isAt(slot, commitment))
      .reverse()
    if (before) {
      const at = own.findIndex(({ signature }) => signature === before)
      own = at === -1 ? [] : own.slice(at + 1)
    }
    const end = own.findIndex(({ signature }) => signature === until)
    return own
      .slice(0, end === -1 ? undefined : end)
      .slice(0, limit)
      .map(({ signature, slot, err, answer }) => ({
        signature,
        slot,
        err,
        memo: null,
        blockTime: (answer as { blockTime: number | null }).blockTime,
        confirmationStatus: commitmentOf(slot),
      }))
  }

  const methods: Record<string, Method> = {
    getHealth: () => {
      if (state.health === 'ok') return 'ok'
      throw new RpcError(-32005, state.health)
    },
    getGenesisHash: () => base58.decode(GENESIS),
    getSlot: (options: Options = {}) => slotAt(options.commitment),
    getBalance: (key: string) => withContext(accountOf(key).lamports),
    getAccountInfo: (key: string) => withContext(presentAccount(key)),
    getMultipleAccounts: (keys: string[], options) =>
      withContext(keys.map(key => presentAccount(key, options?.dataSlice))),
    getMinimumBalanceForRentExemption: (bytes: number) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    getLatestBlockhash: () => withContext({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: 0 }),
    getSignaturesForAddress: list,
    getTransaction: (wanted: string, options) => {
      const found = recorded.find(({ signature }) => signature === wanted)
      return found && isAt(found.slot, options?.commitment) ? found.answer : null
    },
    sendTransaction: (wire: string) =>
      run(getTransactionDecoder().decode(getBase64Encoder().encode(wire)) as Transaction),
  }

  function reply({ id, method, params }: { id: number; method: string; params: never[] }) {
    try {
      const found = methods[method]
      if (!found) throw new RpcError(-32601, 'Method not found')
      return { jsonrpc: '2.0', id, result: found(params[0]!, params[1]) }
    } catch (error) {
      const { code = -32000, message } = error as RpcError
      return { jsonrpc: '2.0', id, error: { code, message } }
    }
  }
  const print = (answer: unknown): string =>
    JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const calls = (await request.json()) as Parameters<typeof reply>[0] | Parameters<typeof reply>[0][]
      return new Response(print(Array.isArray(calls) ? calls.map(reply) : reply(calls)), {
        headers: { 'content-type': 'application/json' },
      })
    },
  })

  /** Signs with one key or several and runs the transaction. The first key pays the fee. */
  async function send(signers: KeyPairSigner | KeyPairSigner[], instructions: Instruction[], slots = 1n) {
    const [payer, ...others] = [signers].flat()
    const blockhash = svm.latestBlockhash() as Blockhash
    const message = pipe(
      createTransactionMessage({ version: 'legacy' }),
      empty => setTransactionMessageFeePayer(payer!.address, empty),
      paid => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, paid),
      timed => appendTransactionMessageInstructions(instructions, timed),
    )
    const pairs = [payer!, ...others].map(({ keyPair }) => keyPair)
    return run(await signTransaction(pairs, compileTransaction(message)), slots)
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    state,
    methods,
    send,
    run,
    /** Signs and sends an unsigned transaction, like a wallet. */
    async signAndSend(signer: KeyPairSigner, wire: string): Promise<string> {
      const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
      const signed = await signTransaction([signer.keyPair], transaction as Transaction)
      return methods.sendTransaction!(getBase64EncodedWireTransaction(signed) as never) as string
    },
    async wallet(balance = 1_000_000_000_000n): Promise<KeyPairSigner> {
      const signer = await generateKeyPairSigner()
      if (balance > 0n) svm.airdrop(signer.address, lamports(balance))
      return signer
    },
    balance: (key: string): bigint => accountOf(key).lamports,
    advance(slots: number): void {
      state.slot += BigInt(slots)
    },
    /** Makes all earlier transactions final. */
    finalize(): void {
      state.slot += BigInt(FINAL_AFTER)
    },
    /** Switches to a fork without the last transactions, one slot ahead. */
    fork(transactions: number): void {
      const gone = recorded.slice(-transactions)
      recorded = recorded.slice(0, -transactions)
      for (const { before } of gone.toReversed()) for (const account of before) svm.setAccount(account)
      state.slot += 1n
    },
    recorded: (): string[] => recorded.map(({ signature }) => signature),
    stop: () => server.stop(true),
  }
}

export type Solana = ReturnType<typeof startSolana>
