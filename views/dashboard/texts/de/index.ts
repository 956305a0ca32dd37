import type { Texts } from '../types.ts'
import { audit } from './audit.ts'
import { deliveries } from './deliveries.ts'
import { developers } from './developers.ts'
import { errors } from './errors.ts'
import { frame } from './frame.ts'
import { overview } from './overview.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { webhook } from './webhook.ts'

export const de: Texts = {
  frame,
  signIn,
  overview,
  settings,
  audit,
  deliveries,
  developers,
  webhook,
  errors,
}
