import type { AuditAction } from '../../domain/audit-action.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type AuditContext, recordForAll } from '../audit/record.ts'
import type { Context } from '../context.ts'

type ChoiceContext = AuditContext & Pick<Context, 'storage' | 'upstreams'>

/** An exchange whose prices are in USDT, so that it needs another source with prices in US dollars. */
const NEEDS_OTHER = 'binance'

function requireOpen({ upstreams }: Pick<Context, 'upstreams'>): void {
  const { origin } = upstreams.rates()
  if (origin === 'sandbox') throw new Refusal('conflict', 'The sandbox simulates exchange rates.')
  if (origin === 'environment')
    throw new Refusal(
      'conflict',
      'FLORIN_RATES takes precedence. Remove it from the settings to choose sources in the dashboard.',
    )
}

function requireUsable(names: readonly string[]): void {
  if (names.length === 1 && names[0] === NEEDS_OTHER)
    throw invalid('name', 'must not leave Binance alone, whose prices are in USDT')
}

/** Asks an exchange for its prices, then adds it as a source. Refuses an exchange without usable prices. */
export async function addRateSource(context: ChoiceContext, name: string): Promise<void> {
  requireOpen(context)
  if (!context.upstreams.rates().exchanges.includes(name)) throw invalid('name', 'must be an exchange')
  requireUsable([...context.upstreams.rates().names, name])
  const problem = await context.upstreams.tryRateSource(name)
  if (problem !== null) {
    const reason = { kind: 'unusable_source', problem } as const
    throw new Refusal('validation_error', `The source ${problem.reason}.`, { reason })
  }
  await change(context, 'rates.added', async tables => {
    await tables.add(name, context.clock())
  })
}

/** Stops asking an exchange for prices. */
export const removeRateSource = (context: ChoiceContext, name: string): Promise<void> =>
  change(context, 'rates.removed', async tables => {
    if (!(await tables.remove(name))) throw new Refusal('not_found', 'This source was not chosen.')
  })

type Sources = Parameters<Parameters<Context['storage']['write']>[0]>[0]['chosenRateSources']

async function change(context: ChoiceContext, action: AuditAction, work: (tables: Sources) => Promise<void>) {
  await context.storage.write(async tables => {
    const before = await tables.chosenRateSources.list()
    await work(tables.chosenRateSources)
    const after = await tables.chosenRateSources.list()
    requireUsable(after)
    const states = { before: { sources: before }, after: { sources: after } }
    await recordForAll(context, tables, { action, subject: 'rates', ...states })
  })
  await context.upstreams.reload()
}
