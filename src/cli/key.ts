import { Command } from 'commander'
import { type Key, type KeyMode, scopes } from '../domain/api-key.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { merchantOfKey } from '../operations/merchants/find.ts'
import { createKey, revokeKey } from '../operations/merchants/keys.ts'
import { listKeys } from '../operations/merchants/read.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

const present = ({ id, merchantId, mode, scopes: granted, createdAt, revokedAt }: Key) => ({
  keyId: id,
  merchantId,
  mode,
  scopes: granted,
  createdAt: formatTimestamp(createdAt),
  revokedAt: revokedAt === null ? null : formatTimestamp(revokedAt),
})

interface Create {
  merchant: string
  mode: KeyMode
  scopes?: string
}

const create = (cli: Cli) =>
  command('create', 'create an API key; it is shown only once')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption(
      '--mode <mode>',
      'live, or test: cannot create or cancel orders, nor change the wallets or the webhook URL',
    )
    .option('--scopes <scopes>', `comma-separated list of: ${scopes.join(', ')} (default: all)`)
    .action(
      cli.withContext(async (context, { merchant, mode, scopes: wanted }: Create) => {
        const names = wanted?.split(',').map(name => name.trim())
        const { key, text } = await createKey(context, { merchantId: merchant, mode, scopes: names })
        return {
          json: { keyId: key.id, key: text, mode: key.mode, scopes: key.scopes },
          text: `${text}\n\nStore it now; it cannot be shown again. Scopes: ${key.scopes.join(', ')}`,
        }
      }),
    )

const list = (cli: Cli) =>
  command('list', "list a merchant's API keys")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const keys = (await listKeys(context, merchant)).map(present)
        const rows = keys.map(key => [
          key.keyId,
          key.mode,
          key.revokedAt ? 'revoked' : 'active',
          key.scopes.join(','),
        ])
        return { json: keys, text: tableOf([['keyId', 'mode', 'state', 'scopes'], ...rows]) }
      }),
    )

const revoke = (cli: Cli) =>
  command('revoke', 'revoke an API key permanently')
    .argument('<key-id>', 'key ID: the 10 characters after florin_live_ or florin_test_')
    .action(
      cli.withContext(async (context, id: string) => {
        const key = present(await revokeKey(context, await merchantOfKey(context, id), id))
        return { json: key, text: `Revoked ${key.keyId}` }
      }),
    )

export const key = (cli: Cli): Command =>
  new Command('key')
    .description('manage API keys')
    .addCommand(create(cli))
    .addCommand(list(cli))
    .addCommand(revoke(cli))
