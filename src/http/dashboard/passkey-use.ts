import type { PasskeyUse } from '../../../views/dashboard/passkeys.ts'
import type { Context } from '../../operations/context.ts'
import { passkeyScript } from './assets.ts'

/** What a page needs to use passkeys; null where browsers make none. */
export const passkeyUse = ({ passkeys }: Pick<Context, 'passkeys'>): PasskeyUse | null =>
  passkeys.place && { origin: passkeys.place.origin, script: passkeyScript }
