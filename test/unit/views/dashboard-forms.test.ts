import { expect, test } from 'bun:test'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../../views/dashboard')
const countOf = (text: string, part: string): number => text.split(part).length - 1

test('every form that changes something begins with its hidden fields, which name the shop', async () => {
  let forms = 0
  for (const file of new Bun.Glob('*.ts').scanSync({ cwd: folder })) {
    const text = await Bun.file(join(folder, file)).text()
    const count = countOf(text, '<form method="post"')
    forms += count
    expect([file, countOf(text, '${hidden(')]).toEqual([file, count])
  }
  expect(forms).toBeGreaterThan(60)
})
