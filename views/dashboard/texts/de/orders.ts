import { plural } from '../../../texts/plural.ts'

export const orders = {
  title: 'Bestellungen',
  create: 'Neue Bestellung',
  search: 'Suchen',
  searchHint:
    'Bestellnummer, ID, E-Mail-Adresse, Vor- oder Nachname, Transaktion oder Adresse, ' +
    'ganz oder nur der Anfang.',
  filters: 'Filter',
  apply: 'Bestellungen zeigen',
  clear: 'Alle entfernen',
  remove: (filter: string) => `Filter ${filter} entfernen`,
  any: 'Beliebig',
  fields: {
    status: 'Status',
    method: 'Zahlungsart',
    asset: 'Coin',
    from: 'Von',
    to: 'Bis',
    currency: 'Währung',
    min: 'Betrag ab',
    max: 'Betrag bis',
    refunded: 'Erstattet',
    payment: 'Geldeingang',
    customer: 'Kunde',
    q: 'Suche',
  },
  wrong: {
    from: 'Geben Sie ein Datum ein, zum Beispiel 2026-11-22.',
    to: 'Geben Sie ein Datum ein, zum Beispiel 2026-11-22.',
    currency: 'Wählen Sie eine Währung aus der Liste.',
    min: 'Geben Sie einen Betrag ein, zum Beispiel 25,00.',
    max: 'Geben Sie einen Betrag ein, zum Beispiel 25,00.',
  },
  refunded: { yes: 'Ja', no: 'Nein' },
  statuses: {
    UNPAID: 'Unbezahlt',
    PAID: 'Bezahlt',
    FAILED: 'Fehlgeschlagen',
    EXPIRED: 'Abgelaufen',
    CANCELLED: 'Storniert',
  },
  every: 'Alle',
  refunds: { PARTIAL: 'Teilweise erstattet', FULL: 'Erstattet' },
  payments: { CONFIRMING: 'Zahlung erkannt', PART_PAID: 'Teilweise bezahlt', OVERPAID: 'Überzahlt' },
  confirming: (count: number, required: number) => `${count} von ${required} Bestätigungen`,
  crypto: 'Krypto',
  columns: {
    created: 'Angelegt',
    order: 'Bestellung',
    customer: 'Kunde',
    amount: 'Betrag',
    status: 'Status',
    method: 'Bezahlt mit',
  },
  noEmail: 'Keine E-Mail-Adresse',
  empty: 'Es gibt noch keine Bestellungen. Die erste erscheint hier sofort.',
  emptyCreate: 'Legen Sie eine Bestellung an und senden Sie ihren Link an einen Kunden:',
  nothingFound: 'Keine passende Bestellung. Entfernen Sie einen Filter, oder kürzen Sie die Suche.',
  partial: 'Noch nicht alle Bestellungen wurden durchsucht. Setzen Sie die Suche unten fort.',
  cut:
    'Zur Suche passen sehr viele Bestellungen, und nur ein Teil davon ist hier aufgeführt. Geben Sie mehr ' +
    'ein, zum Beispiel die ganze Adresse oder Bestellnummer. In der CSV-Datei stehen alle.',
  newer: 'Neuere Bestellungen',
  older: 'Ältere Bestellungen',
  further: 'Ältere Bestellungen durchsuchen',
  newest: 'Neueste Bestellungen',
  pages: 'Seiten',
  csv: 'Als CSV herunterladen',
  views: 'Gespeicherte Ansichten',
  viewName: 'Name dieser Ansicht',
  saveView: 'Ansicht speichern',
  viewHint: 'Merkt sich diese Filter unter einem Namen, nur für Sie.',
  removeView: (name: string) => `Ansicht ${name} löschen`,
  wrongName: 'Geben Sie einen Namen mit höchstens 40 Zeichen ein. Sie können 20 Ansichten haben.',
  count: (count: number) => plural('de', count, { one: `${count} Filter`, other: `${count} Filter` }),
}

export const newOrder = {
  title: 'Neue Bestellung',
  intro: 'Sie bekommen einen Link und einen QR-Code für den Kunden.',
  labels: {
    amount: 'Betrag',
    currency: 'Währung',
    description: 'Beschreibung',
    email: 'E-Mail-Adresse des Kunden',
    fullName: 'Name des Kunden',
    externalId: 'Bestellnummer',
    expiry: 'Der Link gilt',
  },
  hints: {
    description: 'Der Kunde liest sie auf der Seite und auf dem Beleg.',
    email:
      'Wenn Sie das Feld leer lassen, bekommt der Kunde keine E-Mail. Kartenanbieter fragen ' +
      'vielleicht danach.',
    externalId: 'Ihre eigene Nummer, etwa die der Rechnung. Nur Buchstaben, Ziffern und . _ : -',
  },
  wrong: {
    amount: 'Geben Sie einen Betrag ein, den die Währung erlaubt, zum Beispiel 25,00.',
    currency: 'Wählen Sie eine Währung aus der Liste.',
    description: 'Geben Sie höchstens 512 Zeichen ein.',
    email: 'Geben Sie eine gültige E-Mail-Adresse ein, oder lassen Sie das Feld leer.',
    fullName: 'Geben Sie höchstens 128 Zeichen ein.',
    externalId: 'Höchstens 128 Buchstaben, Ziffern und . _ : -',
    methods: 'Wählen Sie mindestens eine Zahlungsart.',
    expiry: 'Wählen Sie eine dieser Zeiten.',
  },
  methods: 'Zahlungsarten',
  methodsHint: 'Wenn Sie keine auswählen, können Kunden alle verfügbaren verwenden.',
  expiries: { '1h': '1 Stunde', '1d': '1 Tag', '3d': '3 Tage', '7d': '7 Tage', '30d': '30 Tage' },
  submit: 'Bestellung anlegen',
  problems: {
    payout_wallet_required:
      'Karten brauchen eine Auszahlungs-Wallet für Ethereum und kompatible Netzwerke. Tragen Sie zuerst ' +
      'eine ein, oder bieten Sie nur Krypto an.',
    crypto_not_configured:
      'Kunden können noch nicht mit Krypto bezahlen. Öffnen Sie Wallets, um zu sehen, was fehlt.',
  },
}
