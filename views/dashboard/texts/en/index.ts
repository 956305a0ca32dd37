import { errors } from './errors.ts'
import { frame } from './frame.ts'
import { overview } from './overview.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'

export const en = { frame, signIn, overview, settings, errors }
