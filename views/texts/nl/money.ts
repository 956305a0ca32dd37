import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `${received} van ${total} ontvangen · nog ${left} te betalen`,
  receivedAll: (received, total) => `${received} van ${total} ontvangen`,
  awaiting: (amount, shop) =>
    `Het bedrag van ${amount} moet nog door ${shop} worden geaccepteerd. Stuur voorlopig niets meer.`,
  awaitingUnknown: shop =>
    `Een betaling moet nog door ${shop} worden geaccepteerd. Stuur voorlopig niets meer.`,
  tooSmall: left =>
    `Het resterende bedrag van ${left} is te klein om te versturen. De winkel is op de hoogte; je hoeft ` +
    'niets meer te sturen.',
  others: 'Andere betalingen die je hebt gestart',
  continueWith: name => `Verder met ${name}`,
  part: received => `${received} ontvangen`,
  vanished: amount =>
    `Het netwerk toont je betaling van ${amount} niet meer. Controleer de betaling in je wallet voordat ` +
    'je opnieuw iets stuurt.',
  blind: (network, time) =>
    `We kunnen het netwerk ${network} op dit moment niet bereiken. Laatste controle: ${time}.`,
  blindAdvice:
    'Als je al hebt betaald, is je betaling niet weg. Betaal niet opnieuw: we vinden je betaling zodra ' +
    'we het netwerk weer kunnen bereiken.',
}
