import { randomBytes } from '@noble/hashes/utils.js'
import { bytes32In, msatIn, NodeApi, notANode, objectIn, requireSame, textIn } from './http.ts'
import { type InvoiceSource, nodeOffer, type SourceTools, unsettled } from './port.ts'
import { requireReceivingRune } from './rune.ts'

const LABEL_BYTES = 16

/** A node of Core Lightning by its REST API (clnrest), with a rune that is restricted to invoices. */
export function clnSource(url: string, secret: string, tools: SourceTools): InvoiceSource {
  const rune = secret.trim()
  const api = new NodeApi(url, { rune }, tools)
  return {
    proof: 'state',
    checkRights: async () => requireReceivingRune(rune),
    offer: async () =>
      nodeOffer(async ({ amountMsat, description, expiryS }) => {
        const label = `florin-${Buffer.from(randomBytes(LABEL_BYTES)).toString('hex')}`
        const wanted = { amount_msat: Number(amountMsat), label, description, expiry: expiryS }
        const made = objectIn(await api.post('/v1/invoice', wanted))
        const paymentHash = bytes32In(made.payment_hash)
        return { text: textIn(made.bolt11), paymentHash, handle: label }
      }),
    async look(handle, { text }) {
      const { invoices } = objectIn(await api.post('/v1/listinvoices', { label: handle }))
      if (!Array.isArray(invoices)) throw notANode()
      const found = objectIn(invoices[0])
      requireSame(found.bolt11, text)
      if (found.status !== 'paid') return unsettled
      const receivedMsat = msatIn(found.amount_received_msat)
      return { isSettled: true, receivedMsat, preimage: bytes32In(found.payment_preimage) }
    },
  }
}
