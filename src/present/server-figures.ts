import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import type { FigureName, FiguresModel } from '../../views/dashboard/server-figures.ts'
import type { ServerFigures } from '../domain/upkeep.ts'
import { durationText, sizeText } from './size.ts'

const SECOND_MS = 1000

type Gauges = ServerFigures['gauges']
type Write = (locale: DashboardLocale, value: number) => string

const size: Write = (locale, value) => sizeText(locale, value)
const duration: Write = (locale, value) => durationText(locale, value)

/** The gauges of the page in their order, with the way in which each is written. */
const writers: Record<FigureName, Write> = {
  process_start_time_seconds: (locale, value) => locale.dateTime(value * SECOND_MS),
  process_resident_memory_bytes: size,
  florin_servers: (locale, value) => locale.number(value),
  florin_database_available: ({ texts: { figures } }, value) => (value === 1 ? figures.yes : figures.no),
  florin_database_bytes: size,
  florin_wal_bytes: size,
  florin_backup_age_seconds: duration,
  florin_replica_lag_seconds: duration,
  florin_certificate_remaining_seconds: duration,
}

const names = Object.keys(writers) as FigureName[]

function figuresIn(locale: DashboardLocale, gauges: Gauges) {
  return names.flatMap(name => {
    const gauge = gauges.find(one => one.name === name)
    return gauge ? [{ name, value: writers[name](locale, gauge.value) }] : []
  })
}

function jobsIn(locale: DashboardLocale, gauges: Gauges) {
  const due = gauges.filter(({ name }) => name === 'florin_jobs_due')
  return due.map(({ labels, value }) => {
    const age = gauges.find(one => one.name === 'florin_job_age_seconds' && one.labels.kind === labels.kind)
    return {
      kind: labels.kind ?? '',
      count: locale.number(value),
      age: durationText(locale, age?.value ?? 0),
    }
  })
}

function versionIn(gauges: Gauges): string {
  const { version = '', commit = '' } = gauges.find(({ name }) => name === 'florin_info')?.labels ?? {}
  return commit === '' ? version : `${version} (${commit})`
}

/** The figures of the server, in the language of the page. */
export const presentFigures = (
  locale: DashboardLocale,
  { gauges, metrics }: ServerFigures,
): FiguresModel => ({
  figures: figuresIn(locale, gauges),
  jobs: jobsIn(locale, gauges),
  version: versionIn(gauges),
  metrics,
})
