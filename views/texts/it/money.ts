import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Ricevuto: ${received} su ${total} · ancora da pagare: ${left}`,
  receivedAll: (received, total) => `Ricevuto: ${received} su ${total}`,
  awaiting: (amount, shop) =>
    `L’importo di ${amount} deve ancora essere accettato da ${shop}. Per ora non inviare altro.`,
  awaitingUnknown: shop => `Un pagamento deve ancora essere accettato da ${shop}. Per ora non inviare altro.`,
  tooSmall: left =>
    `L’importo rimanente di ${left} è troppo piccolo per essere inviato. Il negozio è stato avvisato: ` +
    'non devi inviare altro.',
  others: 'Altri pagamenti che hai iniziato',
  continueWith: name => `Continua con ${name}`,
  part: received => `Ricevuto: ${received}`,
  vanished: amount =>
    `La rete non mostra più il tuo pagamento di ${amount}. Controllalo nel portafoglio prima di inviare ` +
    'di nuovo.',
  blind: (network, time) =>
    `Al momento non riusciamo a raggiungere la rete ${network}. Ultimo controllo: ${time}.`,
  blindAdvice:
    'Se hai già pagato, il pagamento non è andato perso. Non pagare di nuovo: lo troveremo non appena ' +
    'riusciremo a raggiungere la rete.',
}
