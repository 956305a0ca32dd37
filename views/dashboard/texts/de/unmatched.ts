import type { Texts } from '../types.ts'

export const unmatched: Texts['unmatched'] = {
  intro:
    'Geld, das angekommen ist, aber seine Bestellung nicht bezahlt hat. Nehmen Sie es an, wenn es Ihnen ' +
    'genügt, oder senden Sie es aus Ihrer Wallet zurück und markieren Sie es als erledigt.',
  show: 'Anzeigen',
  all: 'Alle',
  none: 'Es gibt keine solchen Zahlungen.',
  noneOpen: 'Nichts wartet auf Sie. Jede Zahlung hat ihre Bestellung bezahlt oder ist erledigt.',
  newest: 'Neueste',
  older: 'Ältere',
  value: 'Wert',
  unknown: 'unbekannt',
  arrived: 'Angekommen',
  skipped:
    'Die Datenbank wurde aus einer Sicherung wiederhergestellt, in der diese Bestellung fehlte. Suchen Sie ' +
    'die Zahlung in Ihrer Wallet, fragen Sie Ihre Käufer, von wem sie ist, und erstatten Sie sie oder ' +
    'liefern Sie.',
  seen: 'Zuerst gesehen',
  address: 'Adresse',
  order: 'Bestellung',
  transaction: 'Transaktion',
  refundTo: 'Erstatten an',
  noRefundAddress: 'Der Käufer hat keine Adresse hinterlassen. Fragen Sie ihn, bevor Sie etwas zurücksenden.',
  decided: 'Entschieden',
  byItself: 'durch eine spätere Zahlung ergänzt',
  evidence: 'Nachweis',
  accept: {
    title: 'Diese Zahlung annehmen',
    label: 'Grund (optional)',
    hint:
      'Die Bestellung gilt mit dem als bezahlt, was angekommen ist. Das lässt sich nicht rückgängig ' +
      'machen.',
    submit: 'Diese Zahlung annehmen',
  },
  resolve: {
    title: 'Als erledigt markieren',
    label: 'Notiz (optional)',
    hint:
      'Was Sie getan haben, etwa die Transaktion, mit der Sie es zurückgesendet haben. Die Bestellung ' +
      'ändert ' +
      'sich nicht.',
    submit: 'Als erledigt markieren',
  },
  done: {
    accepted: 'Die Zahlung ist angenommen, und ihre Bestellung ist bezahlt.',
    resolved: 'Die Zahlung ist erledigt.',
  },
  problems: {
    conflict:
      'Diese Zahlung ist schon angenommen oder erledigt, nicht mehr in der Blockchain, oder ihre ' +
      'Bestellung kann ' +
      'nicht mehr ' +
      'bezahlt werden.',
    tooLong: 'Geben Sie höchstens 500 Zeichen als Grund oder 1000 als Notiz ein.',
  },
  waiting: (count: string) => `${count} offen`,
}
