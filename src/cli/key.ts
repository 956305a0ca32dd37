import { Command } from 'commander'
import { isExpired, type Key, type KeyMode, type Scope, scopes } from '../domain/api-key.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { createKey, revokeKey, rotateKey } from '../operations/keys/manage.ts'
import { merchantOfKey } from '../operations/merchants/find.ts'
import { listKeys } from '../operations/merchants/read.ts'
import { type Cli, command, MERCHANT_ID, parseOverlap, tableOf } from './cli.ts'

const timestampOf = (at: number | null) => (at === null ? null : formatTimestamp(at))

const present = ({
  id,
  label,
  merchantId,
  mode,
  scopes: granted,
  createdAt,
  revokedAt,
  expiresAt,
  lastUsedAt,
  replacedBy,
}: Key) => ({
  keyId: id,
  label,
  merchantId,
  mode,
  scopes: granted,
  createdAt: formatTimestamp(createdAt),
  revokedAt: timestampOf(revokedAt),
  expiresAt: timestampOf(expiresAt),
  lastUsedAt: timestampOf(lastUsedAt),
  replacedBy,
})

interface Create {
  merchant: string
  mode: KeyMode
  scopes?: string
  label?: string
  expires?: string
}

/** Changes that a test key can make with a scope. They are real, because such data has no test version. */
const changes: Partial<Record<Scope, string>> = {
  'orders:manage': 'record refunds',
  'products:write': 'change products',
  'webhooks:write': 'redeliver events',
}

function warningOf({ mode, scopes: granted }: Key): string[] {
  const able = granted.flatMap(scope => changes[scope] ?? [])
  if (mode === 'live' || able.length === 0) return []
  const remedy = 'For a key that only reads, use --scopes api:read,products:read.'
  return [`A test key changes live data: it can ${able.join(', ')}. ${remedy}`]
}

const create = (cli: Cli) =>
  command('create', 'create an API key; it is shown only once')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption(
      '--mode <mode>',
      'live, also in the sandbox; a test key never creates or cancels orders, or changes wallets or ' +
        'the webhook',
    )
    .option('--scopes <scopes>', `comma-separated list of: ${scopes.join(', ')} (default: all)`)
    .option('--label <label>', 'what the key is for, shown by key list')
    .option('--expires <days>', 'number of days after which the key is refused (default: never)')
    .action(
      cli.withContext(async (context, { merchant, mode, scopes: wanted, label, expires }: Create) => {
        const names = wanted?.split(',').map(name => name.trim())
        const { key, text } = await createKey(context, {
          merchantId: merchant,
          mode,
          scopes: names,
          label,
          expiresInDays: expires === undefined ? undefined : Number(expires),
        })
        return {
          json: { keyId: key.id, key: text, mode: key.mode, scopes: key.scopes },
          text: [
            `${text}\n`,
            `Store it now; it cannot be shown again. Scopes: ${key.scopes.join(', ')}`,
            ...warningOf(key),
          ].join('\n'),
        }
      }),
    )

const KEY_ID = 'key ID: the 10 characters after florin_live_ or florin_test_'

const head = ['keyId', 'label', 'mode', 'state', 'last used', 'expires', 'scopes']

function stateOf(key: Key, now: number): string {
  if (key.revokedAt !== null) return 'revoked'
  return isExpired(key, now) ? 'expired' : 'active'
}

const list = (cli: Cli) =>
  command('list', "list a merchant's API keys")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const all = await listKeys(context, merchant)
        const keys = all.map(present)
        const rows = all.map((key, at) => [
          key.id,
          key.label ?? '-',
          key.mode,
          stateOf(key, context.clock()),
          keys[at]?.lastUsedAt ?? 'never',
          keys[at]?.expiresAt ?? 'never',
          key.scopes.join(','),
        ])
        return { json: { items: keys }, text: tableOf([head, ...rows]) }
      }),
    )

const rotate = (cli: Cli) =>
  command(
    'rotate',
    'replace an API key with a new one that has the same label, mode and scopes; it is shown only once',
  )
    .argument('<key-id>', KEY_ID)
    .option('--overlap <duration>', 'how long the former key still works', '24h')
    .action(
      cli.withContext(async (context, id: string, { overlap }: { overlap: string }) => {
        const overlapMs = parseOverlap(overlap)
        const merchantId = await merchantOfKey(context, id)
        const { key, text, former } = await rotateKey(context, merchantId, id, overlapMs)
        const until = timestampOf(former.expiresAt)
        const worksUntil = overlapMs === 0 ? 'no longer works' : `works until ${until}`
        return {
          json: {
            keyId: key.id,
            key: text,
            mode: key.mode,
            scopes: key.scopes,
            former: { keyId: former.id, expiresAt: until },
          },
          text: [
            `${text}\n`,
            `Store it now; it cannot be shown again. The former key ${former.id} ${worksUntil}.`,
          ].join('\n'),
        }
      }),
    )

const revoke = (cli: Cli) =>
  command('revoke', 'revoke an API key permanently')
    .argument('<key-id>', KEY_ID)
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
    .addCommand(rotate(cli))
    .addCommand(revoke(cli))
