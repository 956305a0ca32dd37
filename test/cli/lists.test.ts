import { expect, test } from 'bun:test'
import type { Command } from 'commander'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { startApp } from '../support/app.ts'
import { givenShop } from '../support/given.ts'
import { runInProcess } from './in-process.ts'

/** Every command that prints a list. */
const listsOf = (command: Command): Command[] => [
  ...command.commands.flatMap(listsOf),
  ...(['list', 'sources'].includes(command.name()) ? [command] : []),
]

const ignore = () => {}
const root = await program(new Cli({ environment: {}, print: ignore, complain: ignore }))
const lists = listsOf(root).map(command => [command.parent!.name(), command.name()] as const)

test('every list prints its items in an object', async () => {
  const app = await startApp()
  try {
    const shop = await givenShop(app)
    expect(lists.length).toBeGreaterThanOrEqual(8)
    for (const [noun, verb] of lists) {
      const owner = ['merchant', 'user'].includes(noun) ? [] : ['--merchant', shop.id]
      const ran = await runInProcess({ FLORIN_DATA_DIR: app.dataDir }, noun, verb, ...owner, '--json')
      expect({ noun, verb, stderr: ran.stderr }).toEqual({ noun, verb, stderr: '' })
      expect({ noun, verb, json: JSON.parse(ran.stdout) }).toEqual({
        noun,
        verb,
        json: { items: expect.any(Array), ...(noun === 'unmatched' && { skipped: expect.any(Array) }) },
      })
    }
  } finally {
    await app.close()
  }
})
