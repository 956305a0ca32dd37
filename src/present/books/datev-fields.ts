/* The columns of a batch of bookings, as DATEV names them (format version 13). */

const pairs = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => [`${name} - Art ${at + 1}`, `${name} - Inhalt ${at + 1}`]).flat()

const first = (
  'Umsatz (ohne Soll/Haben-Kz)|Soll/Haben-Kennzeichen|WKZ Umsatz|Kurs|Basis-Umsatz|' +
  'WKZ Basis-Umsatz|Konto|Gegenkonto (ohne BU-Schlüssel)|BU-Schlüssel|Belegdatum|Belegfeld 1|' +
  'Belegfeld 2|Skonto|Buchungstext|Postensperre|Diverse Adressnummer|Geschäftspartnerbank|' +
  'Sachverhalt|Zinssperre|Beleglink'
).split('|')

const middle = (
  'KOST1 - Kostenstelle|KOST2 - Kostenstelle|Kost-Menge|EU-Land u. UStID (Bestimmung)|' +
  'EU-Steuersatz (Bestimmung)|Abw. Versteuerungsart|Sachverhalt L+L|Funktionsergänzung L+L|' +
  'BU 49 Hauptfunktionstyp|BU 49 Hauptfunktionsnummer|BU 49 Funktionsergänzung'
).split('|')

const last = (
  'Stück|Gewicht|Zahlweise|Forderungsart|Veranlagungsjahr|Zugeordnete Fälligkeit|Skontotyp|' +
  'Auftragsnummer|Buchungstyp|USt-Schlüssel (Anzahlungen)|EU-Land (Anzahlungen)|' +
  'Sachverhalt L+L (Anzahlungen)|EU-Steuersatz (Anzahlungen)|Erlöskonto (Anzahlungen)|Herkunft-Kz|' +
  'Buchungs GUID|KOST-Datum|SEPA-Mandatsreferenz|Skontosperre|Gesellschaftername|Beteiligtennummer|' +
  'Identifikationsnummer|Zeichnernummer|Postensperre bis|Bezeichnung SoBil-Sachverhalt|' +
  'Kennzeichen SoBil-Buchung|Festschreibung|Leistungsdatum|Datum Zuord. Steuerperiode|Fälligkeit|' +
  'Generalumkehr (GU)|Steuersatz|Land|Abrechnungsreferenz|BVV-Position|EU-Land u. UStID (Ursprung)|' +
  'EU-Steuersatz (Ursprung)|Abw. Skontokonto'
).split('|')

export const fields = [
  ...first,
  ...pairs('Beleginfo', 8),
  ...middle,
  ...pairs('Zusatzinformation', 20),
  ...last,
]

export const FIELD_COUNT = fields.length
