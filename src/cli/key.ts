import { Command } from 'commander'
import { printInstant } from '../domain/instant.ts'
import { type Key, type KeyMode, scopes } from '../domain/key.ts'
import { createKey, revokeKey } from '../operations/create-key.ts'
import { merchantOfKey } from '../operations/find-merchant.ts'
import { listKeys } from '../operations/read-merchants.ts'
import { type Cli, command, tableOf } from './cli.ts'

const present = ({ id, merchantId, mode, scopes: granted, createdAt, revokedAt }: Key) => ({
  keyId: id,
  merchantId,
  mode,
  scopes: granted,
  createdAt: printInstant(createdAt),
  revokedAt: revokedAt === null ? null : printInstant(revokedAt),
})

interface Create {
  merchant: string
  mode: KeyMode
  scopes?: string
}

const create = (cli: Cli) =>
  command('create', 'make an API key; it is shown this once')
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--mode <mode>', 'live or test')
    .option('--scopes <scopes>', `comma-separated, of ${scopes.join(', ')}; every one when left out`)
    .action(
      cli.inWorld(async (world, { merchant, mode, scopes: wanted }: Create) => {
        const names = wanted?.split(',').map(name => name.trim())
        const { key, text } = await createKey(world, { merchantId: merchant, mode, scopes: names })
        return {
          json: { keyId: key.id, key: text, mode: key.mode, scopes: key.scopes },
          text: `${text}\n\nKeep it now: it is not shown again. Scopes: ${key.scopes.join(', ')}`,
        }
      }),
    )

const list = (cli: Cli) =>
  command('list', 'list the API keys of a merchant')
    .requiredOption('--merchant <id>', 'merchantId')
    .action(
      cli.inWorld(async (world, { merchant }: { merchant: string }) => {
        const keys = (await listKeys(world, merchant)).map(present)
        const rows = keys.map(key => [
          key.keyId,
          key.mode,
          key.revokedAt ? 'revoked' : 'in force',
          key.scopes.join(','),
        ])
        return { json: keys, text: tableOf([['keyId', 'mode', 'state', 'scopes'], ...rows]) }
      }),
    )

const revoke = (cli: Cli) =>
  command('revoke', 'revoke an API key for ever')
    .argument('<key-id>', 'keyId, the 10 characters after florin_live_ or florin_test_')
    .action(
      cli.inWorld(async (world, id: string) => {
        const key = present(await revokeKey(world, await merchantOfKey(world, id), id))
        return { json: key, text: `Revoked ${key.keyId}` }
      }),
    )

export const key = (cli: Cli): Command =>
  new Command('key')
    .description('API keys')
    .addCommand(create(cli))
    .addCommand(list(cli))
    .addCommand(revoke(cli))
