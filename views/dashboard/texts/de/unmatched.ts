import type { Texts } from '../types.ts'

export const unmatched: Texts['unmatched'] = {
  intro:
    'Diese Zahlungen sind angekommen, haben aber keine Bestellung beglichen: zu wenig, zu spät, im ' +
    'falschen Coin oder eine zweite Zahlung.',
  todo: {
    owner:
      'Nehmen Sie eine Zahlung an, oder senden Sie sie aus Ihrer Wallet zurück und markieren Sie sie als ' +
      'erledigt.',
    staff:
      'Markieren Sie eine Zahlung als erledigt, wenn sie zurückgesendet wurde. Nur Inhaber können eine ' +
      'Zahlung annehmen: Sie zählt dann für ihre Bestellung.',
    viewer:
      'Inhaber können eine Zahlung annehmen. Mitarbeiter können sie als erledigt markieren, wenn sie ' +
      'zurückgesendet wurde.',
  },
  show: 'Anzeigen',
  all: 'Alle',
  none: 'Es gibt keine solchen Zahlungen.',
  noneOpen: 'Es ist nichts zu prüfen. Jede Zahlung hat ihre Bestellung beglichen oder ist erledigt.',
  newest: 'Neueste',
  older: 'Ältere',
  value: 'Wert',
  unknown: 'unbekannt',
  arrived: 'Angekommen',
  skipped:
    'Diese Bestellung fehlt, weil die Datenbank aus einer älteren Sicherung wiederhergestellt wurde. ' +
    'Suchen Sie die Zahlung in Ihrer Wallet, fragen Sie Ihre Kunden, von wem sie ist, und erstatten ' +
    'Sie sie oder liefern Sie.',
  seen: 'Zuerst erkannt',
  address: 'Adresse',
  order: 'Bestellung',
  transaction: 'Transaktion',
  refundTo: 'Erstatten an',
  noRefundAddress: 'Der Kunde hat keine Adresse hinterlassen. Fragen Sie ihn, bevor Sie etwas zurücksenden.',
  decided: 'Entschieden',
  byItself: 'durch eine spätere Zahlung ergänzt',
  evidence: 'Nachweis',
  accept: {
    title: 'Diese Zahlung annehmen',
    label: 'Grund (optional)',
    hint:
      'Die Bestellung ist dann mit dem bezahlt, was angekommen ist: Der Rest ist nicht mehr fällig, ' +
      'und Ihre Website bekommt ihr Ereignis. Das lässt sich nicht rückgängig machen.',
    submit: 'Diese Zahlung annehmen',
  },
  resolve: {
    title: 'Als erledigt markieren',
    label: 'Notiz (optional)',
    hint:
      'Für eine Zahlung, die Sie zurückgesendet haben oder mit der nichts weiter geschehen soll. ' +
      'Geben Sie an, was Sie getan haben, etwa die Transaktion, mit der Sie sie zurückgesendet haben. ' +
      'Die Bestellung und Ihre Berichte ändern sich nicht.',
    submit: 'Als erledigt markieren',
  },
  done: {
    accepted: 'Die Zahlung ist angenommen, und ihre Bestellung ist bezahlt.',
    resolved: 'Die Zahlung ist erledigt.',
  },
  problems: {
    conflict:
      'Diese Zahlung kann nicht mehr geändert werden. Laden Sie die Seite neu, um ihren Stand zu ' +
      'sehen. Ist das Geld noch in Ihrer Wallet, senden Sie es dem Kunden selbst zurück.',
    tooLong: {
      accept: 'Geben Sie einen Grund mit höchstens 500 Zeichen ein.',
      resolve: 'Geben Sie eine Notiz mit höchstens 1.000 Zeichen ein.',
    },
  },
  waiting: (count: string) => `${count} offen`,
}
