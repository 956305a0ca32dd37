import { Refusal } from '../../../domain/errors.ts'
import { findLightning } from '../../addresses/lightning.ts'
import type { Context } from '../../context.ts'
import type { Checkout } from '../load-checkout.ts'
import { networkAway } from './open-target.ts'

/** The longest wait for an invoice that is shown in the QR code of an address. */
const BESIDE_MS = 3000

/**
 * Opens an invoice before the address that it is shown with, so that the address is the newest attempt and
 * has the grace. Without an invoice, the address is shown alone.
 */
export async function openBeside(
  { storage }: Pick<Context, 'storage'>,
  { merchant }: Pick<Checkout, 'merchant'>,
  open: (options: { onScarce(): void; isLate(): boolean }) => Promise<void>,
): Promise<void> {
  const key = `lightning ${merchant.id}`
  const account = await storage.remember(['providerAccounts'], key, tables =>
    findLightning(tables, merchant.id),
  )
  if (account === null) return
  let isOver = false
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, BESIDE_MS)
  const onScarce = () => {
    throw networkAway()
  }
  const opening = open({ onScarce, isLate: () => isOver })
  try {
    await Promise.race([opening.catch(ignoreRefusal), late])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
