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
 * All that a world calls in the source of a server, except over HTTP. This file is copied into the source of an earlier
 * version (`earlier.ts`), so that a server of that version runs its own code only.
 */
export const build = {
  ...{ migrations, postgresMigrations, openFlorin, readSettings },
  ...{ createMerchant, changeMerchant, connectAccount, createUser, createKey, revokeKey },
  ...{ fillPool, setUpLightning, tryLightning, previewAccount, previewViewKey, setUpSource },
  ...{ chooseEvents, rotateSecret },
}

export type Build = typeof build
