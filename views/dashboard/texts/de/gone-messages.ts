import { chainName } from '../chain-names.ts'
import type { Texts } from '../types.ts'

type Messages = Texts['messages']

export const goneMessages: Pick<
  Messages,
  | 'payment_gone'
  | 'payment_back'
  | 'payment_vanished'
  | 'chain_blind'
  | 'chain_readable'
  | 'unmatched_gone'
  | 'unmatched_back'
> = {
  payment_gone: {
    title: '',
    text: ({ txId }) =>
      `Eine Zahlung ist aus der Blockchain verschwunden: Die Transaktion ${txId} zählt nicht mehr ` +
      'für diese Bestellung, die als bezahlt markiert bleibt.',
    advice: 'Liefern Sie erst, wenn die Zahlung wieder da ist oder der Kunde noch einmal bezahlt hat.',
  },
  payment_back: {
    title: '',
    text: ({ txId }) =>
      `Eine Zahlung ist wieder in der Blockchain: Die Transaktion ${txId} zählt für diese Bestellung.`,
    advice: '',
  },
  payment_vanished: {
    title: '',
    text: ({ txId }) =>
      `Eine erkannte Zahlung ist vor ihrer Bestätigung verschwunden: Transaktion ${txId}. ` +
      'Das Netzwerk hat sie verworfen, oder ihr Absender hat sie ersetzt.',
    advice: 'Die Bestellung verlangt den Betrag wieder. Liefern Sie dafür nichts.',
  },
  chain_blind: {
    title: '',
    text: ({ chain, since }) =>
      `Zahlungen über ${chainName(chain)} sind nicht zu sehen: Der Server kann das Netzwerk seit ${since} ` +
      'nicht lesen. Keine Zahlung geht verloren, und offene Preise gelten um diese Zeit länger.',
    advice: 'Bitten Sie vorher keinen Kunden, noch einmal zu bezahlen.',
  },
  chain_readable: {
    title: '',
    text: ({ chain }) =>
      `Zahlungen über ${chainName(chain)} sind wieder zu sehen: Der Server kann das Netzwerk lesen.`,
    advice: '',
  },
  unmatched_gone: {
    title: '',
    text: ({ txId }) =>
      'Eine Zahlung, die diese Bestellung nicht bezahlt hatte, ist aus der Blockchain verschwunden: ' +
      `Transaktion ${txId}.`,
    advice: 'Senden Sie dafür nichts zurück, solange sie nicht wieder da ist.',
  },
  unmatched_back: {
    title: '',
    text: ({ txId }) =>
      'Eine Zahlung ist wieder in der Blockchain: ' +
      `Die Transaktion ${txId} hat diese Bestellung nicht bezahlt.`,
    advice: 'Was bei ihrem Eingang damit zu tun war, gilt wieder.',
  },
}
