import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MetricKind, metricTable } from '../src/boot/metrics/table.ts'
import { newFolder, ROOT } from './support/process.ts'
import { isMissing, programOf } from './support/programs.ts'

// Tests the files for Prometheus and Grafana. Grafana does not run here.

interface Panel {
  type: string
  title: string
  datasource?: { uid: string }
  targets?: { expr: string }[]
}

const textOf = (file: string): string => readFileSync(join(ROOT, '.github', file), 'utf8')
interface Rule {
  expr: string
  annotations: { summary: string; action: string }
}

const { groups } = Bun.YAML.parse(textOf('monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap(group => group.rules)
const dashboard = JSON.parse(textOf('monitoring/grafana.json'))
const panels: Panel[] = dashboard.panels.filter(({ type }: Panel) => type !== 'row')

const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
].map(expression => expression.replaceAll('$__rate_interval', '5m'))

/** The names of the samples of each metric. */
const kinds = new Map<string, MetricKind>(
  Object.entries<MetricKind>(metricTable).flatMap(([name, kind]) =>
    (kind.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
      suffix => [`${name}${suffix}`, kind] as const,
    ),
  ),
)

/** Labels that Prometheus adds to every sample, and the bound of a bucket. */
const added = ['instance', 'job', 'le']

test('operations.md lists each alert with its meaning and remedy', () => {
  const rows = rules.map(
    ({ expr, annotations: { summary, action } }) => `| \`${expr}\` | ${summary} | ${action} |`,
  )
  const listed = textOf('docs/operations.md')
    .split('\n')
    .filter(line => /^\| `[^`]* [<>=]+ [^`]*` \|/.test(line))
  expect(listed).toEqual(rows)
})

test('alerts and panels use metrics and labels that a server has', () => {
  for (const expression of expressions) {
    const selected = expression.matchAll(/\b((?:florin|process)_\w+)(?:\{([^}]*)\})?/g)
    for (const [, name = '', matchers = ''] of selected) {
      expect([expression, kinds.has(name)]).toEqual([expression, true])
      const labels = [...matchers.matchAll(/(\w+)=/g)].map(([, label]) => label!)
      const unknown = labels.filter(label => ![...added, ...kinds.get(name)!.labels].includes(label))
      expect([expression, unknown]).toEqual([expression, []])
    }
    const by = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '))
    const labels = [...expression.matchAll(/\b(?:florin|process)_\w+/g)].flatMap(
      ([name]) => kinds.get(name)?.labels ?? [],
    )
    expect([expression, by.filter(label => ![...added, ...labels].includes(label))]).toEqual([expression, []])
  }
})

test('label values in alerts and panels are values that a server counts', () => {
  for (const expression of expressions) {
    for (const [, name = '', matchers = ''] of expression.matchAll(/\b(florin_\w+)\{([^}]*)\}/g)) {
      const { labels, values = [] } = kinds.get(name)!
      for (const [, label = '', text = ''] of matchers.matchAll(/(\w+)=~?"([^"]*)"/g)) {
        const known = values[labels.indexOf(label)]
        if (known) for (const value of text.split('|')) expect(known).toContain(value)
      }
    }
  }
})

test('each metric is shown on a panel', () => {
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join(' ')
  expect(Object.keys(metricTable).filter(name => !shown.includes(name))).toEqual([])
})

test('panels have a title of their own, and data of the source that a person chose', () => {
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  for (const { title, datasource } of panels)
    expect([title, datasource?.uid]).toEqual([title, expect.stringMatching(/^\$\{datasource\}$/)])
  const ids = dashboard.panels.map(({ id }: { id: number }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

const hasPromtool = !isMissing('The tests of expressions', 'promtool')
test.if(hasPromtool)('Prometheus reads the rules, and the expression of each panel', () => {
  const folder = newFolder()
  const file = join(folder, 'panels.yml')
  const recorded = expressions.map((expr, at) => ({ record: `panel:${at}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }))
  for (const checked of [join(ROOT, '.github/monitoring/alerts.yml'), file]) {
    const { status, stdout, stderr } = spawnSync(programOf('promtool'), ['check', 'rules', checked])
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
  }
})
