import { randomBytes } from 'node:crypto'
import { readInvoice } from '../../src/networks/lightning/bolt11.ts'
import { makeInvoice } from '../../src/sandbox/lightning/make-bolt11.ts'

interface Issued {
  text: string
  preimage: string
  isPaid: boolean
}

/** The node behind a wallet. */
interface Node {
  invoice(amountMsat: bigint): string
  /** Returns the preimage of an invoice; null until the invoice is paid. */
  preimageOf(paymentHash: string): string | null
}

/** Replaces an answer of the wallet's server. null leaves it as it is. */
type Lie = (path: string, answer: Record<string, unknown>) => Record<string, unknown> | Response | null

/**
 * A wallet with a Lightning address, whose server answers by LUD-16 and LUD-21. Its invoices are really
 * signed, and a real node pays them if one is given.
 */
export function startWallet(clock: () => number, node: Node | null = null) {
  const invoices = new Map<string, Issued>()
  const asked: string[] = []
  const key = randomBytes(32)
  const wallet = {
    prefix: 'bc',
    expiryS: 3600,
    minSendable: 1000,
    maxSendable: 100_000_000_000,
    /** an amount in thousandths of a satoshi that is added to the amount of each invoice */
    surplus: 0n,
    lie: (() => null) as Lie,
    asked,
    host: '',
    /** Pays an invoice, as the buyer's wallet does. */
    pay(text: string): void {
      for (const one of invoices.values()) if (one.text === text.toLowerCase()) one.isPaid = true
    },
    preimageOf: (text: string): string =>
      [...invoices.values()].find(one => one.text === text.toLowerCase())?.preimage ?? '',
    issue,
    stop: () => server.stop(true),
  }
  const url = (path: string): string => `http://${wallet.host}${path}`

  function issue(amountMsat: bigint): Issued & { hash: string } {
    if (node) return keep(node.invoice(amountMsat), '')
    const preimage = randomBytes(32)
    const text = makeInvoice({
      ...{ amountMsat, preimage, description: 'Corner Coffee', now: clock(), expiryS: wallet.expiryS },
      ...{ secret: randomBytes(32), key, prefix: wallet.prefix },
    })
    return keep(text, preimage.toString('hex'))
  }

  function keep(text: string, preimage: string) {
    const { paymentHash: hash } = readInvoice(text)
    const issued = { text, preimage, isPaid: false }
    invoices.set(hash, issued)
    return { ...issued, hash }
  }

  function answerTo({ pathname, searchParams }: URL): Record<string, unknown> {
    if (pathname === '/.well-known/lnurlp/shop') {
      const { minSendable, maxSendable } = wallet
      const metadata = JSON.stringify([['text/plain', 'Corner Coffee']])
      return { tag: 'payRequest', callback: url('/pay?id=1'), minSendable, maxSendable, metadata }
    }
    if (pathname === '/pay') {
      const { text, hash } = issue(BigInt(searchParams.get('amount') ?? 0) + wallet.surplus)
      return { pr: text, routes: [], verify: url(`/verify/${hash}`) }
    }
    return stateOf(pathname.slice('/verify/'.length))
  }

  function stateOf(hash: string): Record<string, unknown> {
    const known = invoices.get(hash)
    if (!known) return { status: 'ERROR', reason: 'Not found' }
    if (node)
      Object.assign(known, { preimage: node.preimageOf(hash), isPaid: node.preimageOf(hash) !== null })
    const { isPaid: settled, preimage, text: pr } = known
    return { status: 'OK', settled, preimage: settled ? preimage : null, pr }
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const asking = new URL(request.url)
      asked.push(asking.pathname)
      const answer = answerTo(asking)
      const sent = wallet.lie(asking.pathname, answer) ?? answer
      return sent instanceof Response ? sent : Response.json(sent)
    },
  })
  wallet.host = `127.0.0.1:${server.port}`
  return wallet
}
