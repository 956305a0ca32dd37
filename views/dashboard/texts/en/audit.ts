/** Who changed what. */
export const audit = {
  title: 'Audit log',
  hint: 'Every change of what money depends on. Nobody can change or delete these lines.',
  none: 'Nothing has been changed yet.',
  columns: { time: 'Time', who: 'Who', action: 'Change', what: 'What' },
  actors: { cli: 'Command line', key: (id: string) => `API key ${id}`, user: (id: string) => `User ${id}` },
  nothing: 'nothing',
  change: (before: string, after: string) => `${before} → ${after}`,
  request: (id: string) => `Request ${id}`,
  newer: 'Newest',
  older: 'Older',
}
