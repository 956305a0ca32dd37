import { migrations } from '../../migrations/index.ts'
import { postgresMigrations } from '../../migrations/postgres/index.ts'
import { openFlorin } from '../../src/boot/compose.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { setUpLightning, tryLightning } from '../../src/operations/addresses/lightning.ts'
import { previewAccount, previewViewKey, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { createKey, revokeKey } from '../../src/operations/keys/manage.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import { chooseEvents, rotateSecret } from '../../src/operations/webhooks/change.ts'
import { readSettings } from '../../src/settings/read.ts'

/**
 * Everything that a world calls in the source of a server, except over HTTP. `earlier.ts` copies this file
 * into the source of an earlier version, so that a server of that version runs only its own code.
 */
export const build = {
  ...{ migrations, postgresMigrations, openFlorin, readSettings },
  ...{ createMerchant, changeMerchant, connectAccount, createUser, createKey, revokeKey },
  ...{ fillPool, setUpLightning, tryLightning, previewAccount, previewViewKey, setUpSource },
  ...{ chooseEvents, rotateSecret },
}

export type Build = typeof build
