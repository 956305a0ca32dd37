import type { Texts } from '../types.ts'

type Messages = Texts['messages']

export const goneMessages: Pick<
  Messages,
  'payment_gone' | 'payment_back' | 'payment_vanished' | 'unmatched_gone' | 'unmatched_back'
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
