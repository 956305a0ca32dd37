import { expect, test } from 'bun:test'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const folder = join(ROOT, '.github/workflows')

interface Job {
  needs?: string
  uses?: string
  steps?: { run?: string; uses?: string }[]
}

const workflows = readdirSync(folder).map(name => {
  const { jobs } = Bun.YAML.parse(readFileSync(join(folder, name), 'utf8')) as { jobs: Record<string, Job> }
  return { name, jobs, steps: Object.values(jobs).flatMap(({ steps = [] }) => steps) }
})
const commands = workflows.flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split('\n')))

test('each workflow has jobs that need existing jobs and use existing workflows', () => {
  expect(workflows.map(({ name }) => name).sort()).toEqual(['audit.yml', 'checks.yml', 'release.yml'])
  for (const { jobs } of workflows) {
    for (const { needs, uses, steps = [] } of Object.values(jobs)) {
      if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs)
      if (uses !== undefined) expect([uses, existsSync(join(ROOT, uses))]).toEqual([uses, true])
      expect([uses !== undefined, steps.length > 0]).toContain(true)
    }
  }
})

test('each script that a workflow runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const names = commands.flatMap(command => /^npm run (\S+)/.exec(command)?.[1] ?? [])
  const files = commands.flatMap(command => /^(?:node )?(\.ci\/\S+)/.exec(command)?.[1] ?? [])
  expect([names, files].map(({ length }) => length > 0)).toEqual([true, true])
  expect(names.filter(name => !(name in scripts))).toEqual([])
  expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
  accessSync(join(ROOT, '.ci/run'), constants.X_OK)
})

test('each action is pinned to a commit, with the version for people beside it', () => {
  const texts = workflows.map(({ name }) => readFileSync(join(folder, name), 'utf8'))
  const actions = texts.flatMap(text => [...text.matchAll(/^ *- uses: (.+)$/gm)].map(([, uses = '']) => uses))
  expect(actions.length).toBeGreaterThan(5)
  expect(actions.filter(one => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual([])
})
