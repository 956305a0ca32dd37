import type { Texts } from '../types.ts'

/** Umsätze nach Tag, Woche und Monat. */
export const reports: Texts['reports'] = {
  title: 'Berichte',
  presets: 'Zeitraum',
  preset: {
    today: 'Heute',
    '7d': 'Letzte 7 Tage',
    '30d': 'Letzte 30 Tage',
    month: 'Dieser Monat',
    'last-month': 'Letzter Monat',
    year: 'Dieses Jahr',
  },
  from: 'Erster Tag',
  to: 'Letzter Tag',
  show: 'Anzeigen',
  by: 'Zeilen',
  length: { day: 'Nach Tagen', week: 'Nach Wochen', month: 'Nach Monaten' },
  currency: 'Währung',
  range: (days, timeZone) => `${days}. Ein Tag beginnt um Mitternacht in ${timeZone}.`,
  wrongRange:
    'Wählen Sie einen ersten und einen letzten Tag, höchstens zehn Jahre auseinander ' +
    'und mit höchstens 400 Zeilen.',
  wrongCurrency: 'Diese Währung gibt es nicht.',
  none: 'Noch gibt es keine Bestellungen. Sobald es welche gibt, stehen sie hier.',
  empty: 'In diesem Zeitraum ist nichts geschehen.',
  summary: 'Zusammenfassung',
  gross: 'Umsatz',
  // At the head of a column, the word may be divided.
  fees: 'Betreiber\u00adgebühren',
  refunds: 'Erstattungen',
  net: 'Nach Abzügen',
  orders: 'Bestellungen',
  paid: 'Zahlungen',
  conversion: 'Bezahlte Bestellungen',
  forced: 'Von Hand als bezahlt markiert',
  cancelled: 'Stornierte Bestellungen',
  conversionOf: (paid, orders, percent) => `${paid} von ${orders} (${percent})`,
  notes: {
    fees:
      'Der Betreiber dieses Servers legt die Betreibergebühren für jeden Shop fest und erhält sie. ' +
      'Gebühren von Netzwerken und Zahlungsanbietern sind nicht enthalten: Sie werden abgezogen, ' +
      'bevor das Geld ankommt.',
    conversion:
      'Bestellungen zählen am Tag, an dem sie angelegt wurden; bezahlte Bestellungen sind die davon, ' +
      'die seitdem bezahlt wurden. Zahlungen, Umsatz und Gebühren zählen am Tag der Zahlung, ' +
      'Erstattungen am Tag, an dem sie eingetragen wurden.',
    forced: 'Bestellungen, die von Hand als bezahlt markiert wurden, zählen nicht zum Umsatz.',
  },
  chart: 'Umsatz und Erstattungen',
  chartText: (most, period) =>
    'Balken über der Linie zeigen den Umsatz, Balken darunter die Erstattungen. ' +
    `Der höchste Umsatz ist ${most}, ${period}. Die Tabelle darunter enthält alle Werte.`,
  barText: (period, sales, refunds) => `${period}: Umsatz ${sales}, Erstattungen ${refunds}`,
  period: 'Zeitraum',
  total: 'Summe',
  periods: 'Nach Zeitraum',
  leftOut: 'Zeiträume, in denen nichts geschehen ist, fehlen.',
  methods: 'Nach Zahlungsart',
  method: 'Zahlungsart',
  crypto: 'Krypto',
  assets: 'Nach Coin oder Währung',
  asset: 'Coin oder Währung',
  currencies: 'Nach Währung',
  downloads: 'Herunterladen',
  csv: 'Dieser Bericht (CSV)',
  export: 'Alle Zahlungen, Gebühren und Erstattungen für die Buchhaltung (CSV)',
}
