import { bytes32In, msatIn, NodeApi, notANode, objectIn, requireSame, textIn } from './http.ts'
import { macaroonOf, requireReceiving } from './macaroon.ts'
import { type InvoiceSource, nodeOffer, type SourceTools, unsettled } from './port.ts'

/** A node of LND by its REST API, with a macaroon for invoices. */
export function lndSource(url: string, secret: string, tools: SourceTools): InvoiceSource {
  const macaroon = macaroonOf(secret)
  const api = new NodeApi(url, { 'grpc-metadata-macaroon': macaroon.toString('hex') }, tools)
  return {
    // The node made the preimage, and shows it before the payment, so the preimage proves nothing.
    proof: 'state',
    checkRights: async () => requireReceiving(macaroon),
    offer: async () =>
      nodeOffer(async ({ amountMsat, description, expiryS }) => {
        const made = objectIn(
          await api.post('/v1/invoices', {
            ...{ value_msat: amountMsat.toString(), memo: description, expiry: expiryS.toString() },
          }),
        )
        const paymentHash = bytes32In(made.r_hash)
        if (paymentHash === null) throw notANode()
        return { text: textIn(made.payment_request), paymentHash, handle: paymentHash }
      }),
    async look(handle, { text }) {
      const found = objectIn(await api.get(`/v1/invoice/${handle}`))
      requireSame(found.payment_request, text)
      if (found.state !== 'SETTLED') return unsettled
      const receivedMsat = msatIn(found.amt_paid_msat)
      return { isSettled: true, receivedMsat, preimage: bytes32In(found.r_preimage) }
    },
  }
}
