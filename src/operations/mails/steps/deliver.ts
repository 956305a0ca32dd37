import { type BuyerMail, retryMailAt } from '../../../domain/buyer-mail.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { OrderView } from '../../../domain/order-view.ts'
import type { ProductImage, StoredImageType } from '../../../domain/product.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { Letter } from '../../letters.ts'

interface AddressedLetter extends Pick<OrderView, 'order' | 'merchant'> {
  letter: Letter
  /** null if the letter shows none */
  logo: ProductImage | null
}

type Mail = Pick<BuyerMail, 'id' | 'orderId' | 'failures'> & { kind: string }

/** The result of sending a mail, and when to retry it. */
interface Outcome extends Pick<BuyerMail, 'status' | 'failures'> {
  nextAt: number | null
}

/**
 * Sends a mail to a buyer. A failed mail is retried a few times, then given up. A mail without a letter is no
 * longer needed and is given up at once.
 */
export async function deliver(
  context: Pick<Context, 'clock' | 'channels' | 'log'>,
  mail: Mail,
  addressed: AddressedLetter | null,
): Promise<Outcome> {
  if (addressed === null) return giveUp(context, mail, 'the mail is no longer of use')
  const channel = context.channels.mail
  if (channel === null) return giveUp(context, mail, 'no mail server is configured')
  const { letter, logo, order, merchant } = addressed
  const images = logo === null ? [] : [logo]
  const message = { ...letter, images, id: mail.id, replyTo: merchant.supportEmail, items: [], more: 0 }
  const fault = await channel.send(message, { email: order.customerEmail })
  if (fault !== null) return afterFailure(context, { ...mail, failures: mail.failures + 1 }, fault)
  const { orderId, kind, failures } = mail
  context.log.info({ orderId, mail: kind }, 'buyer_mail.sent')
  return { status: 'sent', failures, nextAt: null }
}

function afterFailure(context: Pick<Context, 'clock' | 'log'>, mail: Mail, reason: string): Outcome {
  const { orderId, kind, failures } = mail
  const nextAt = retryMailAt(failures, context.clock())
  if (nextAt === null) return giveUp(context, mail, reason)
  context.log.warn({ orderId, mail: kind, failures, reason, nextAt }, 'buyer_mail.send.failed')
  return { status: 'pending', failures, nextAt }
}

function giveUp({ log }: Pick<Context, 'log'>, mail: Mail, reason: string): Outcome {
  const { orderId, kind, failures } = mail
  log.warn({ orderId, mail: kind, failures, reason }, 'buyer_mail.given_up')
  return { status: 'given_up', failures, nextAt: null }
}

/** The types of images that mails contain. Many mail programs show neither WebP nor SVG. */
const shownTypes: readonly StoredImageType[] = ['image/png', 'image/jpeg']

/** A merchant as mails show it, and the logo that a mail contains. */
interface MailedMerchant {
  merchant: Merchant
  logo: ProductImage | null
}

/** Loads a merchant's logo for a mail, unless mail programs do not show it. */
export async function withLogo(tables: Tables, merchant: Merchant): Promise<MailedMerchant> {
  const image = merchant.logo && (await tables.images.find(merchant.logo.id))
  if (image && shownTypes.includes(image.type)) return { merchant, logo: image }
  return { merchant: { ...merchant, logo: null }, logo: null }
}
