import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as ldk from 'lightningdevkit'
import { until } from './until.ts'

const NETWORK = ldk.Network.LDKNetwork_Bitcoin
const CAPACITY_SAT = 10_000_000n
const CONFIRMATIONS = 8
/** The hash of Bitcoin's first block, in the byte order of headers. */
const GENESIS = '6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000'

/** The value of a successful result of the library. */
function okOf<T>(result: { is_ok(): boolean; res?: T }): T {
  if (!result.is_ok()) throw new Error(`the library reports ${result.constructor.name}`)
  return result.res as T
}

const noAddress = () => ldk.Option_SocketAddressZ.constructor_none()

/** A node of the Lightning Development Kit, with keys of its own and without a chain. */
function makeNode(seed: number) {
  const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => 253 })
  const broadcaster = ldk.BroadcasterInterface.new_impl({ broadcast_transactions() {} })
  const logger = ldk.Logger.new_impl({ log() {} })
  const isStored = () => ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed
  const stores = {
    persist_new_channel: isStored,
    update_persisted_channel: isStored,
    archive_persisted_channel() {},
  }
  const noFilter = ldk.Option_FilterZ.constructor_none()
  const persister = ldk.Persist.new_impl(stores)
  const monitor = ldk.ChainMonitor.constructor_new(noFilter, broadcaster, logger, fees, persister)
  const keys = ldk.KeysManager.constructor_new(new Uint8Array(32).fill(seed), 42n, 42)
  const entropy = keys.as_EntropySource()
  const graph = ldk.NetworkGraph.constructor_new(NETWORK, logger)
  const decay = ldk.ProbabilisticScoringDecayParameters.constructor_default()
  const scorer = ldk.ProbabilisticScorer.constructor_new(decay, graph, logger)
  const score = ldk.MultiThreadedLockableScore.constructor_new(scorer.as_Score()).as_LockableScore()
  const costs = ldk.ProbabilisticScoringFeeParameters.constructor_default()
  const router = ldk.DefaultRouter.constructor_new(graph, logger, entropy, score, costs).as_Router()
  const messages = ldk.DefaultMessageRouter.constructor_new(graph, entropy).as_MessageRouter()
  const best = ldk.BestBlock.constructor_from_network(NETWORK)
  const manager = ldk.ChannelManager.constructor_new(
    ...([fees, monitor.as_Watch(), broadcaster, router, messages, logger, entropy] as const),
    ...([keys.as_NodeSigner(), keys.as_SignerProvider(), ldk.UserConfig.constructor_default()] as const),
    ldk.ChainParameters.constructor_new(NETWORK, best),
    Math.floor(Date.now() / 1000),
  )
  const ignorer = ldk.IgnoringMessageHandler.constructor_new()
  const peers = ldk.PeerManager.constructor_new(
    manager.as_ChannelMessageHandler(),
    ignorer.as_RoutingMessageHandler(),
    ignorer.as_OnionMessageHandler(),
    ignorer.as_CustomMessageHandler(),
    1,
    entropy.get_secure_random_bytes(),
    logger,
    keys.as_NodeSigner(),
  )
  return { manager, monitor, peers }
}

type Node = ReturnType<typeof makeNode>

function eventsOf({ manager }: Node): ldk.Event[] {
  const events: ldk.Event[] = []
  const handler = ldk.EventHandler.new_impl({
    handle_event(event) {
      events.push(event)
      return ldk.Result_NoneReplayEventZ.constructor_ok()
    },
  })
  manager.as_EventsProvider().process_pending_events(handler)
  return events
}

/** Connects two nodes without sockets: each reads at once what the other sends. */
function connect(one: Node, other: Node): void {
  const sockets: ldk.SocketDescriptor[] = []
  const socketOf = (id: number, to: Node) =>
    ldk.SocketDescriptor.new_impl({
      send_data(data) {
        const socket = sockets[1 - id]
        if (socket) to.peers.read_event(socket, data)
        return data.length
      },
      disconnect_socket() {},
      eq: socket => socket.hash() === BigInt(id),
      hash: () => BigInt(id),
    })
  const [first, second] = [socketOf(0, other), socketOf(1, one)]
  sockets.push(first, second)
  other.peers.new_inbound_connection(second, noAddress())
  const hello = one.peers.new_outbound_connection(other.manager.get_our_node_id(), first, noAddress())
  other.peers.read_event(second, okOf<Uint8Array>(hello))
}

/** A transaction with one input from an empty chain, and one output. */
function fundingOf(script: Uint8Array, value: bigint): Uint8Array {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(value)
  const input = [Buffer.from([2, 0, 0, 0, 0, 1, 1]), Buffer.alloc(36), Buffer.from([0, 255, 255, 255, 255])]
  const output = [Buffer.from([1]), amount, Buffer.from([script.length]), script]
  return new Uint8Array(Buffer.concat([...input, ...output, Buffer.from([1, 1, 255, 0, 0, 0, 0])]))
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Puts a transaction into the first block of a chain that only the nodes know. */
function confirm(nodes: Node[], transaction: Uint8Array, settle: () => void): void {
  let previous: Uint8Array = Buffer.from(GENESIS, 'hex')
  for (let height = 1; height <= CONFIRMATIONS; height++) {
    const version = Buffer.from([1, 0, 0, 0])
    const header = Buffer.concat([version, previous, Buffer.alloc(32, height), Buffer.alloc(12)])
    previous = hashOf(hashOf(header))
    for (const { manager, monitor } of nodes) {
      for (const chain of [manager.as_Confirm(), monitor.as_Confirm()]) {
        const mined = [ldk.TwoTuple_usizeTransactionZ.constructor_new(0, transaction)]
        if (height === 1) chain.transactions_confirmed(new Uint8Array(header), mined, height)
        chain.best_block_updated(new Uint8Array(header), height)
      }
    }
    settle()
  }
}

/**
 * Two real Lightning nodes with a channel from the buyer to the merchant. Money moves between their balances
 * by the protocol; only the chain under the channel is made up.
 */
export async function startNodes() {
  const wasm = new URL(import.meta.resolve('lightningdevkit/liblightningjs.wasm'))
  await ldk.initializeWasmFromBinary(readFileSync(wasm))
  const [buyer, merchant] = [makeNode(1), makeNode(2)]
  const settle = () => {
    for (let round = 0; round < 8; round++) for (const { peers } of [buyer, merchant]) peers.process_events()
  }
  connect(buyer, merchant)
  settle()
  const toMerchant = merchant.manager.get_our_node_id()
  const config = ldk.UserConfig.constructor_default()
  const temporary = ldk.ChannelId.constructor_new_zero()
  okOf(buyer.manager.create_channel(toMerchant, CAPACITY_SAT, 0n, 0n, temporary, config))
  settle()
  const [ready] = eventsOf(buyer)
  if (!(ready instanceof ldk.Event_FundingGenerationReady)) throw new Error('the channel was not accepted')
  const { output_script, channel_value_satoshis, temporary_channel_id, counterparty_node_id } = ready
  const funding = fundingOf(output_script, channel_value_satoshis)
  buyer.manager.funding_transaction_generated(temporary_channel_id, counterparty_node_id, funding)
  settle()
  confirm([buyer, merchant], funding, settle)
  /** preimages by payment hash, once they are claimed */
  const preimages = new Map<string, string>()

  function step(): ldk.Event[] {
    settle()
    for (const { manager } of [buyer, merchant]) manager.process_pending_htlc_forwards()
    settle()
    for (const event of eventsOf(merchant)) {
      if (!(event instanceof ldk.Event_PaymentClaimable)) continue
      const { purpose, payment_hash } = event
      if (!(purpose instanceof ldk.PaymentPurpose_Bolt11InvoicePayment)) continue
      const known = purpose.payment_preimage
      if (!(known instanceof ldk.Option_ThirtyTwoBytesZ_Some)) continue
      merchant.manager.claim_funds(known.some)
      preimages.set(Buffer.from(payment_hash).toString('hex'), Buffer.from(known.some).toString('hex'))
    }
    return eventsOf(buyer)
  }

  return {
    /** The invoice of the merchant's node for an amount in thousandths of a satoshi. */
    invoice(amountMsat: bigint): string {
      const text = okOf<ldk.Description>(ldk.Description.constructor_new('Corner Coffee'))
      const made = merchant.manager.create_bolt11_invoice(
        ldk.Option_u64Z.constructor_some(amountMsat),
        ldk.Bolt11InvoiceDescription.constructor_direct(text),
        ldk.Option_u32Z.constructor_some(3600),
        ldk.Option_u16Z.constructor_none(),
        ldk.Option_ThirtyTwoBytesZ.constructor_none(),
      )
      return okOf<ldk.Bolt11Invoice>(made).to_str()
    },
    /** Makes the buyer's node read an invoice and pay it. Resolves when the merchant has the money. */
    async pay(text: string): Promise<void> {
      const invoice = okOf<ldk.Bolt11Invoice>(ldk.Bolt11Invoice.constructor_from_str(text))
      const found = ldk.UtilMethods.constructor_payment_parameters_from_invoice(invoice)
      const to = okOf<ldk.ThreeTuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZ>(found)
      const [hash, onion, route] = [to.get_a(), to.get_b(), to.get_c()]
      const retries = ldk.Retry.constructor_attempts(3)
      okOf(buyer.manager.send_payment(hash, onion, hash, route, retries))
      const isSent = () => step().some(event => event instanceof ldk.Event_PaymentSent)
      await until(isSent, 'the payment', 10_000)
    },
    preimageOf: (paymentHash: string): string | null => preimages.get(paymentHash) ?? null,
    /** The amount that the buyer's node can still send, in thousandths of a satoshi. */
    sendableMsat: (): bigint =>
      buyer.manager.list_channels().reduce((sum, one) => sum + one.get_outbound_capacity_msat(), 0n),
  }
}
