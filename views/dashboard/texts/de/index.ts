import type { Texts } from '../types.ts'
import { errors } from './errors.ts'
import { frame } from './frame.ts'
import { overview } from './overview.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'

export const de: Texts = { frame, signIn, overview, settings, errors }
