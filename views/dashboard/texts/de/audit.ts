import type { Texts } from '../types.ts'

export const audit: Texts['audit'] = {
  title: 'Protokoll',
  hint: 'Jede Änderung, von der Geld abhängt. Niemand kann diese Zeilen ändern oder löschen.',
  none: 'Es wurde noch nichts geändert.',
  columns: { time: 'Zeit', who: 'Wer', action: 'Änderung', what: 'Was' },
  actors: { cli: 'Kommandozeile', key: id => `API-Schlüssel ${id}`, user: id => `Benutzer ${id}` },
  nothing: 'nichts',
  change: (before, after) => `${before} → ${after}`,
  request: id => `Anfrage ${id}`,
  newer: 'Neueste',
  older: 'Ältere',
}
