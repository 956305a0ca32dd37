import { cutText } from '../../../domain/cut-text.ts'
import { AccountError } from '../../port.ts'
import { msatIn, NodeApi, objectIn, requireSame, textIn } from './http.ts'
import { type InvoiceSource, nodeOffer, type SourceTools, sourceError, unsettled } from './port.ts'

const DESCRIPTION_MAX = 128
const MSAT = 1000n

/** The node phoenixd, by its password for limited access. */
export function phoenixdSource(url: string, secret: string, tools: SourceTools): InvoiceSource {
  const authorization = `Basic ${Buffer.from(`:${secret}`).toString('base64')}`
  const api = new NodeApi(url, { authorization }, tools)
  return {
    proof: 'state',
    async checkRights() {
      textIn(objectIn(await api.get('/getinfo')).nodeId)
      // The limited password is refused before the form is read, and an empty form pays nothing.
      const mayPay = await api.postForm('/payinvoice', {}).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof AccountError)) throw error
          return error.wallet.kind !== 'lightningSecret'
        },
      )
      if (mayPay) throw sourceError('lightningPays', 'this password of phoenixd can also pay')
    },
    offer: async () =>
      nodeOffer(async ({ amountMsat, description, expiryS }) => {
        const made = objectIn(
          await api.postForm('/createinvoice', {
            amountSat: (amountMsat / MSAT).toString(),
            description: cutText(description, DESCRIPTION_MAX),
            expirySeconds: expiryS.toString(),
          }),
        )
        const paymentHash = textIn(made.paymentHash).toLowerCase()
        return { text: textIn(made.serialized), paymentHash, handle: paymentHash }
      }),
    async look(handle, { amountMsat }) {
      const found = objectIn(await api.get(`/payments/incoming/${handle}`))
      requireSame(found.paymentHash, handle)
      if (found.isPaid !== true) return unsettled
      const left = (msatIn(found.receivedSat) ?? 0n) * MSAT
      // The node deducts the cost of its channel from the amount that the buyer paid.
      const isWhole = left < amountMsat && left + (msatIn(found.fees) ?? 0n) >= amountMsat
      return { isSettled: true, receivedMsat: isWhole ? amountMsat : left, preimage: null }
    },
  }
}
