import { randomBytes } from 'node:crypto'
import type { Asset } from '../../src/domain/asset.ts'
import {
  type DetectedPayment,
  type Network,
  NetworkError,
  type OpenRequest,
  type Watch,
} from '../../src/networks/port.ts'
import type { App } from './app.ts'

interface Invoice {
  text: string
  paymentHash: string
  amount: bigint
  expiresAt: number
  paidAt: number | null
}

export const invoiceAsset: Asset = {
  id: 'lightning/btc',
  chain: 'lightning',
  network: 'btc',
  ticker: 'BTC',
  name: 'Bitcoin on Lightning',
  decimals: 8,
  quoteDecimals: 8,
  minimum: 1n,
  confirmations: 1,
  finality: false,
  chainId: null,
  contract: null,
}

/**
 * A node that issues invoices, like Lightning nodes. Payments are identified by a hash instead of an address.
 */
export class InvoiceNode {
  readonly #invoices = new Map<string, Invoice>()
  readonly #clock: () => number
  expiryMs = 10 * 60_000
  isDown = false

  constructor(clock: () => number) {
    this.#clock = clock
  }

  async createInvoice(amount: bigint): Promise<Invoice> {
    await this.#answer()
    const paymentHash = randomBytes(32).toString('hex')
    const text = `lnbc${amount}n1${randomBytes(16).toString('hex')}`
    const invoice = { text, paymentHash, amount, expiresAt: this.#clock() + this.expiryMs, paidAt: null }
    this.#invoices.set(paymentHash, invoice)
    return invoice
  }

  async findInvoice(paymentHash: string): Promise<Invoice | undefined> {
    await this.#answer()
    return this.#invoices.get(paymentHash)
  }

  /** Pays like the buyer's wallet. A node refuses payments of expired invoices. */
  pay(text: string): void {
    const invoice = [...this.#invoices.values()].find(one => one.text === text)
    if (!invoice || invoice.expiresAt <= this.#clock()) throw new Error('the invoice is unknown or expired')
    invoice.paidAt = this.#clock()
  }

  async #answer(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    if (this.isDown) throw new NetworkError('no usable endpoint for lightning: the node does not answer')
  }
}

/** The network of such a node: everything that Florin needs to be paid by invoice. */
export const invoiceNetwork = (node: InvoiceNode): Network => ({
  chain: 'lightning',
  unavailableReason: async () => null,
  async open({ dueAtomic, own }: OpenRequest) {
    if (own) throw new Error('an invoice is issued by its node')
    const { text, paymentHash, expiresAt } = await node.createInvoice(dueAtomic)
    const uri = `lightning:${text}`
    return { invoice: text, reference: paymentHash, expiresAt, uri, source: { kind: 'issued' }, cursor: null }
  },
  scan: watches =>
    Promise.all(
      watches.map(async watch => ({
        attemptId: watch.attemptId,
        detectedPayments: await paymentsOf(node, watch),
        completeFrom: 0,
        cursor: null,
      })),
    ),
})

async function paymentsOf(node: InvoiceNode, { asset, reference }: Watch): Promise<DetectedPayment[]> {
  if (reference === undefined) throw new Error('an invoice is found by its reference')
  const invoice = await node.findInvoice(reference)
  if (!invoice || invoice.paidAt === null) return []
  const { paymentHash, amount, paidAt } = invoice
  return [
    {
      txId: paymentHash,
      txIndex: '0',
      assetId: asset.id,
      amountAtomic: amount,
      confirmations: 1,
      final: true,
      height: null,
      txIn: null,
      paidAt,
      evidence: { paymentHash },
    },
  ]
}

/** Adds the network to a running app, like a composition root. */
export function addInvoiceNetwork(app: App, node: InvoiceNode): void {
  const { networks } = app.context
  const { asset, of, sourceKinds, endpointCount } = networks
  const network = invoiceNetwork(node)
  Object.assign(networks, {
    assets: [...networks.assets, invoiceAsset],
    asset: (id: string) => (id === invoiceAsset.id ? invoiceAsset : asset(id)),
    of: (chain: string) => (chain === network.chain ? network : of(chain)),
    endpointCount: (own: Asset) => (own.chain === network.chain ? 1 : endpointCount(own)),
    sourceKinds: (own: Asset, payoutAddress: string | null) =>
      own.id === invoiceAsset.id ? ['issued'] : sourceKinds(own, payoutAddress),
  } satisfies Partial<typeof networks>)
}
