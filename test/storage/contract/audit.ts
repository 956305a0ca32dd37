import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/domain/audit.ts'
import { failureOf, givenMerchant, LATEST, newId, type Open, opening, pagesOf, TEXT } from './given.ts'

export function auditContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const row = (merchantId: string, change: Partial<AuditEntry> = {}): AuditEntry => ({
    id: newId(),
    merchantId,
    at: 1,
    actor: 'cli',
    action: 'wallet.changed',
    subject: 'wallet',
    before: null,
    after: { evm: TEXT, nested: [1, null, { a: true }] },
    requestId: null,
    client: null,
    ...change,
  })

  test('entries are listed by merchant, newest first, up to the limit', async () => {
    const { id } = await givenMerchant(engine)
    const other = await givenMerchant(engine)
    const rows = [
      row(id, { at: 0 }),
      row(id, { at: 5, actor: 'key:AAAAAAAAAA', requestId: newId(), client: '2001:db8::1' }),
      row(id, { at: 5, actor: 'user:1', before: {}, after: null }),
      row(id, { at: LATEST, actor: 'server' }),
    ]
    for (const one of [rows[2]!, rows[0]!, rows[3]!, row(other.id), rows[1]!]) {
      await write(tables => tables.audit.insert(one))
    }
    expect(await read(tables => tables.audit.list(id, 10))).toEqual(rows.toReversed())
    expect(await read(tables => tables.audit.list(id, 2))).toEqual(rows.toReversed().slice(0, 2))
    expect(await read(tables => tables.audit.list(newId(), 2))).toEqual([])
    expect(await read(tables => tables.audit.list(id, 10, null, 'others'))).toEqual(
      rows.toReversed().filter(({ actor }) => actor !== 'server'),
    )
    for (const size of [1, 3]) {
      const paged = await pagesOf(
        size,
        (limit, after) => read(tables => tables.audit.list(id, limit, after)),
        entry => entry,
      )
      expect(paged).toEqual(rows.toReversed())
    }
  })

  test('an entry needs an existing merchant, a known kind of actor and an ID of its own', async () => {
    const { id } = await givenMerchant(engine)
    const entry = row(id)
    await write(tables => tables.audit.insert(entry))
    const wrong = [entry, row(newId()), row(id, { actor: 'key:' }), row(id, { actor: 'root' as 'cli' })]
    for (const one of wrong) {
      expect(await failureOf(write(tables => tables.audit.insert(one)))).toMatch(/^failed/)
    }
    expect(await read(tables => tables.audit.list(id, 10))).toEqual([entry])
  })
}
