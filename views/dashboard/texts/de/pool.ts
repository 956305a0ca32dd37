import type { Texts } from '../types.ts'

const addresses = (count: number): string => (count === 1 ? '1 Adresse' : `${count} Adressen`)

export const pool: Texts['pool'] = {
  title: network => `Adressliste: ${network}`,
  back: network => `Wallets: ${network}`,
  intro:
    'Jede Zahlung erhält eine eigene Adresse aus dieser Liste, damit Florin erkennt, welche ' +
    'Bestellung bezahlt wurde. Verwenden Sie sie, wenn Ihre Wallet keinen erweiterten öffentlichen ' +
    'Schlüssel hat oder Ihre Börse Ihnen Adressen zum Empfangen gibt.',
  link: 'Eine Adressliste verwenden',
  manage: 'Liste öffnen',
  count: 'In der Liste',
  free: 'Verfügbar',
  freeHint: 'Noch keinem Kunden gegeben.',
  reserved: 'Reserviert',
  reservedHint: 'Einem Kunden gegeben; nichts ist angekommen.',
  used: 'Benutzt',
  usedHint: 'Etwas ist angekommen.',
  next: 'Die nächsten Kunden erhalten',
  stopped: 'Die Liste wird gerade nicht verwendet. Fügen Sie Adressen hinzu, um sie wieder zu verwenden.',
  low: count =>
    count === 1
      ? 'Nur 1 Adresse ist übrig. Fügen Sie weitere hinzu, damit Kunden weiter zahlen können.'
      : `Nur ${count} Adressen sind übrig. Fügen Sie weitere hinzu, damit Kunden weiter zahlen können.`,
  empty: 'Keine Adressen mehr übrig, Kunden erhalten also keine aus dieser Liste. Fügen Sie weitere hinzu.',
  change: 'Adressen hinzufügen oder herausnehmen',
  text: 'Adressen',
  textHint:
    'Eine Adresse pro Zeile, bis zu 10.000. Text nach # zählt nicht. Verwenden Sie nur Adressen ' +
    'Ihrer eigenen Wallet oder Ihres Börsenkontos.',
  file: 'Oder eine Textdatei mit einer Adresse pro Zeile',
  add: 'Prüfen, dann hinzufügen',
  takeOut: 'Prüfen, dann herausnehmen',
  wrong: count =>
    count === 1
      ? 'Eine Zeile kann nicht verwendet werden, deshalb wurde nichts geändert:'
      : `${count} Zeilen können nicht verwendet werden, deshalb wurde nichts geändert:`,
  line: (line, text) => `Zeile ${line}: ${text}`,
  moreLines: count =>
    count === 1 ? 'Eine weitere Zeile ist falsch.' : `${count} weitere Zeilen sind falsch.`,
  nothing: 'Geben Sie mindestens eine Adresse ein, oder wählen Sie eine Datei.',
  tooMany: 'Das sind zu viele. Geben Sie höchstens 10.000 auf einmal ein.',
  noList: 'Es gibt noch keine Liste, aus der etwas herausgenommen werden könnte.',
  expired:
    'Das hat zu lange gedauert, oder der Server wurde neu gestartet. Geben Sie die Adressen noch einmal ein.',
  checkAdd: count => `${addresses(count)} hinzufügen?`,
  checkTakeOut: count => `${addresses(count)} herausnehmen?`,
  nothingNew: 'Alle diese Adressen stehen schon in der Liste. Nichts wurde geändert.',
  known: lines => `Schon in der Liste, deshalb ausgelassen: Zeile ${lines}.`,
  repeated: lines => `Doppelt, deshalb ausgelassen: Zeile ${lines}.`,
  compare:
    'Vergleichen Sie diese mit Ihrer Wallet. Geld an eine falsche Adresse ist verloren, und Florin ' +
    'kann nicht ' +
    'sehen, wem sie gehört.',
  firstOnes: 'Die ersten:',
  lastOne: 'Die letzte:',
  compared: 'Ich habe diese mit meiner Wallet verglichen. Alle Adressen der Liste gehören mir.',
  compareFirst: 'Vergleichen Sie zuerst und setzen Sie dann dieses Häkchen.',
  confirmAdd: 'Hinzufügen',
  confirmTakeOut: 'Herausnehmen',
  emptyAll: count => (count === 1 ? 'Die unbenutzte herausnehmen' : `Alle ${count} unbenutzten herausnehmen`),
  emptyAsk: 'Alle unbenutzten Adressen herausnehmen? Kunden erhalten dann keine mehr davon.',
  reclaim: 'Unbezahlte Adressen wieder freigeben',
  reclaimHint:
    'Für Adressen, die nie etwas erhalten haben, 30 Tage nachdem Florin sie zuletzt überwacht hat. ' +
    'Florin prüft vorher die Blockchain.',
  done: {
    added: count => `Gespeichert. Hinzugefügt: ${count}. Neue Zahlungen verwenden sie ab jetzt.`,
    takenOut: count => `Herausgenommen: ${count}.`,
    reclaimed: count => `Wieder verfügbar: ${count}.`,
    reclaiming: () =>
      'Florin prüft noch die Blockchain und macht auch ohne Sie weiter: Öffnen Sie diese Seite in ' +
      'einigen Minuten wieder, um zu sehen, wie viele Adressen verfügbar sind.',
  },
}
