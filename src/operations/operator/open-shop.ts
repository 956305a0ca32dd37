import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Context } from '../context.ts'
import { checkEmail, createMerchant } from '../merchants/create.ts'
import { createUser, type Invitation } from '../people/create-user.ts'
import type { PersonContext } from '../people/steps/record-person.ts'

interface NewShop {
  /** the ID of the new shop: a form that is sent twice opens only one shop */
  id: string
  email: string
  name: string
  feePercent: string
  currency: string
  /** email address of the first owner; empty to invite nobody yet */
  owner: string
  /** lets an owner who has an account keep their password, second factor and passkeys */
  keepPassword: boolean
}

interface OpenedShop {
  merchant: Merchant
  /** null if nobody was invited, or the shop was opened before */
  invitation: Invitation | null
}

const findOpened = ({ storage }: Pick<Context, 'storage'>, id: string): Promise<Merchant | null> =>
  storage.read(tables => tables.merchants.find(id))

/** Opens a shop on the server, and invites its first owner. */
export async function openShopFor(
  context: PersonContext & Pick<Context, 'passwords'>,
  { id, owner, keepPassword, ...input }: NewShop,
): Promise<OpenedShop> {
  if (owner !== '') checkEmail(owner, 'owner')
  const opened = await findOpened(context, id)
  if (opened) return { merchant: opened, invitation: null }
  let merchant: Merchant
  try {
    merchant = await createMerchant(context, { id, ...input })
  } catch (error) {
    // The same form was sent twice at once, and the other request stored the shop first.
    const other = error instanceof Refusal && error.code === 'conflict' ? await findOpened(context, id) : null
    if (!other) throw error
    return { merchant: other, invitation: null }
  }
  if (owner === '') return { merchant, invitation: null }
  return { merchant, invitation: await createUser(context, { email: owner, merchantId: id, keepPassword }) }
}
