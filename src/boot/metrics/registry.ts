import { type MetricKind, type MetricName, metricTable } from './table.ts'

/** Upper bounds of the buckets of a histogram, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Max label combinations. Further ones are counted under "other", so that nobody can fill the memory. */
const SERIES_MAX = 2000

interface Series {
  labels: readonly string[]
  /** value of a counter or a gauge; sum of a histogram */
  value: number
  /** observations per bucket of a histogram, not cumulative */
  buckets: number[]
}

function seriesIn(all: Map<string, Series>, labels: readonly string[]): Series {
  const key = labels.join('\n')
  const series = all.get(key) ?? { labels, value: 0, buckets: [] }
  all.set(key, series)
  return series
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const quoted = (text: string): string => `"${text.replace(/[\\"\n]/g, character => escapes[character]!)}"`

/**
 * All label combinations of a counter. `known` has the values of labels that are known only when something is
 * counted; if a value is missing, there are no combinations. A histogram without labels has one combination;
 * other metrics have no combinations.
 */
function combinationsOf(name: MetricName, known: readonly string[] = []): string[][] {
  const { type, labels, values = [] }: MetricKind = metricTable[name]
  if (type === 'gauge' || (type === 'histogram' && labels.length > 0)) return []
  return labels.reduce<string[][]>(
    (before, _, at) => {
      const own = values[at] ?? known.slice(at, at + 1)
      return before.flatMap(labelsBefore => own.map(value => [...labelsBefore, value]))
    },
    [[]],
  )
}

/**
 * All metric values since the start of the process. Counters start with 0: for Prometheus, a counter that
 * appears with 1 has not increased, so no alert would report its first event.
 */
export class Registry {
  readonly #series = new Map<MetricName, Map<string, Series>>()

  constructor() {
    for (const name of Object.keys(metricTable) as MetricName[]) {
      for (const labels of combinationsOf(name)) this.#seriesOf(name, labels)
    }
  }

  /** Adds to a counter. */
  add(name: MetricName, labels: readonly string[] = [], value = 1): void {
    this.#seriesOf(name, labels).value += value
  }

  /** Sets a gauge, or a counter that is counted elsewhere. */
  set(name: MetricName, labels: readonly string[], value: number): void {
    this.#seriesOf(name, labels).value = value
  }

  /** Adds an observation to a histogram. */
  observe(name: MetricName, labels: readonly string[], seconds: number): void {
    const series = this.#seriesOf(name, labels)
    const found = BUCKETS.findIndex(bound => seconds <= bound)
    const bucket = found < 0 ? BUCKETS.length : found
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
    series.value += seconds
  }

  /** Removes the values of a metric whose labels come and go. */
  clear(name: MetricName): void {
    this.#series.delete(name)
  }

  /** The current values of the gauges, with the name and value of each label. */
  gauges(): { name: string; labels: Record<string, string>; value: number }[] {
    return [...this.#series].flatMap(([name, all]) => {
      const { type, labels: names }: MetricKind = metricTable[name]
      if (type !== 'gauge') return []
      return [...all.values()].map(({ labels, value }) => ({
        name,
        labels: Object.fromEntries(names.map((label, at) => [label, labels[at] ?? ''])),
        value,
      }))
    })
  }

  /** Prints all metrics in Prometheus' text format, version 0.0.4. */
  print(): string {
    const names = Object.keys(metricTable) as MetricName[]
    return names.map(name => this.#printMetric(name)).join('')
  }

  #seriesOf(name: MetricName, labels: readonly string[]): Series {
    let all = this.#series.get(name)
    if (!all) {
      all = new Map()
      this.#series.set(name, all)
    }
    const known = all.get(labels.join('\n'))
    if (known) return known
    const isFull = all.size >= SERIES_MAX
    const own = isFull ? labels.map(() => 'other') : labels
    for (const beside of isFull ? [] : combinationsOf(name, labels)) seriesIn(all, beside)
    return seriesIn(all, own)
  }

  #printMetric(name: MetricName): string {
    const { type, meaning } = metricTable[name]
    const series = [...(this.#series.get(name)?.values() ?? [])]
    if (series.length === 0) return ''
    const lines = series.flatMap(one =>
      type === 'histogram' ? printHistogram(name, one) : printValue(name, one),
    )
    return [`# HELP ${name} ${meaning}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
  }
}

function labelText(name: MetricName, values: readonly string[], bound?: string): string {
  const names: readonly string[] = metricTable[name].labels
  const pairs = names.map((label, at) => `${label}=${quoted(values[at] ?? '')}`)
  if (bound !== undefined) pairs.push(`le="${bound}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const printValue = (name: MetricName, { labels, value }: Series): string[] => [
  `${name}${labelText(name, labels)} ${value}`,
]

function printHistogram(name: MetricName, { labels, value, buckets }: Series): string[] {
  let count = 0
  const lines = [...BUCKETS, '+Inf'].map((bound, at) => {
    count += buckets[at] ?? 0
    return `${name}_bucket${labelText(name, labels, String(bound))} ${count}`
  })
  const own = labelText(name, labels)
  return [...lines, `${name}_sum${own} ${value}`, `${name}_count${own} ${count}`]
}
