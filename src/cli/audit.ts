import { Command } from 'commander'
import type { AuditFields } from '../domain/audit.ts'
import { listAudit, testKeysOf } from '../operations/audit/read.ts'
import { presentAudit } from '../present/audit.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'

type EntryJson = ReturnType<typeof presentAudit> & { testKey: boolean }

const textOf = (fields: AuditFields | null, name: string): string => JSON.stringify(fields?.[name] ?? null)

function linesOf({ at, actor, client, testKey, action, subject, before, after }: EntryJson): string[] {
  const names = Object.keys({ ...before, ...after })
  const changes = names.map(name => {
    const value = textOf(after, name)
    return `    ${name}: ${before === null ? value : `${textOf(before, name)} -> ${value}`}`
  })
  const author = `${actor}${client === null ? '' : ` (${client})`}${testKey ? ' (test key)' : ''}`
  return [`${at}  ${action} of ${subject} by ${author}`, ...changes]
}

interface List {
  merchant: string
  limit: string
  withoutServer?: true
}

const list = (cli: Cli) =>
  command(
    'list',
    'list changes to payout wallets, address sources, webhooks, API keys, products and ' +
      'merchant settings, forced orders, invoices and resolved payments, newest first',
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--limit <n>', 'maximum number of changes', '100')
    .option('--without-server', 'leave out what the server did itself, such as the invoices of paid orders')
    .action(
      cli.withContext(async (context, { merchant, limit, withoutServer }: List) => {
        const entries = await listAudit(context, merchant, Number(limit), withoutServer ? 'others' : 'all')
        const testKeys = await testKeysOf(context, merchant)
        const items = entries.map(one => ({ ...presentAudit(one), testKey: testKeys.has(one.actor) }))
        return { json: { items }, text: items.flatMap(linesOf).join('\n') || 'No changes.' }
      }),
    )

export const audit = (cli: Cli): Command =>
  new Command('audit').description('read the audit log').addCommand(list(cli))
