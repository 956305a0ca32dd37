import type { Texts } from '../types.ts'
import { choose } from './choose.ts'
import { crypto } from './crypto.ts'
import { end } from './end.ts'
import { errors } from './errors.ts'
import { home } from './home.ts'
import { mail } from './mail.ts'
import { money } from './money.ts'
import { notices } from './notices.ts'
import { page } from './page.ts'
import { paymentMail } from './payment-mail.ts'
import { product } from './product.ts'
import { provider } from './provider.ts'
import { receipt } from './receipt.ts'

/** Portuguese of Brazil. */
export const ptBR: Texts = {
  page,
  choose,
  crypto,
  provider,
  end,
  notices,
  money,
  product,
  errors,
  home,
  receipt,
  mail,
  paymentMail,
}
