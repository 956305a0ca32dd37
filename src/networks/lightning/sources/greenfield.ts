import { bytes32In, msatIn, NodeApi, notANode, objectIn, requireSame, textIn } from './http.ts'
import { type InvoiceSource, nodeOffer, type SourceTools, sourceError, unsettled } from './port.ts'

const needed = ['btcpay.store.cancreatelightninginvoice', 'btcpay.store.canviewlightninginvoice']
/** Matches the permissions of a key that move no money: to read, and to issue invoices. */
const harmless = /^btcpay[.](?:store|user|server)[.](?:canview[a-z]*|cancreate(?:lightning)?invoice)$/

/** The node of a store of a BTCPay Server, by an API key (Greenfield API). */
export function greenfieldSource(account: string, secret: string, tools: SourceTools): InvoiceSource {
  const url = new URL(account)
  const store = url.searchParams.get('store') ?? ''
  url.search = ''
  const api = new NodeApi(url.href, { authorization: `token ${secret}` }, tools)
  const invoices = `/api/v1/stores/${store}/lightning/BTC/invoices`
  return {
    proof: 'state',
    async checkRights() {
      const { permissions } = objectIn(await api.get('/api/v1/api-keys/current'))
      if (!Array.isArray(permissions)) throw notANode()
      const granted = permissions.map(one => String(one).split(':'))
      const other = granted.find(([name = '']) => !harmless.test(name))
      if (other) throw sourceError('lightningPays', `the key also grants ${other[0]}`)
      const isGranted = (name: string) =>
        granted.some(([one, scope = store]) => one === name && scope === store)
      if (!needed.every(isGranted)) throw sourceError('lightningRights', 'the key lacks a permission')
    },
    offer: async () =>
      nodeOffer(async ({ amountMsat, description, expiryS }) => {
        const made = objectIn(
          await api.post(invoices, { amount: amountMsat.toString(), description, expiry: expiryS }),
        )
        const paymentHash = bytes32In(made.paymentHash)
        return { text: textIn(made.BOLT11), paymentHash, handle: textIn(made.id) }
      }),
    async look(handle, { text }) {
      const found = objectIn(await api.get(`${invoices}/${encodeURIComponent(handle)}`))
      requireSame(found.BOLT11, text)
      if (found.status !== 'Paid') return unsettled
      const receivedMsat = msatIn(found.amountReceived)
      return { isSettled: true, receivedMsat, preimage: bytes32In(found.preimage) }
    },
  }
}
