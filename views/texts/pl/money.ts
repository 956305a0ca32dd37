import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Otrzymano ${received} z ${total} · pozostało ${left}`,
  receivedAll: (received, total) => `Otrzymano ${received} z ${total}`,
  awaiting: (amount, shop) =>
    `Kwota ${amount} czeka na akceptację sklepu ${shop}. Na razie nie wysyłaj nic więcej.`,
  awaitingUnknown: shop => `Płatność czeka na akceptację sklepu ${shop}. Na razie nie wysyłaj nic więcej.`,
  tooSmall: left =>
    `Pozostała kwota ${left} jest zbyt mała, aby ją wysłać. Sklep został powiadomiony; nie musisz nic ` +
    'więcej wysyłać.',
  others: 'Inne rozpoczęte płatności',
  continueWith: name => `Kontynuuj: ${name}`,
  part: received => `Otrzymano ${received}`,
  vanished: amount =>
    `Sieć nie pokazuje już Twojej płatności na kwotę ${amount}. Sprawdź ją w portfelu, zanim wyślesz ` +
    'ponownie.',
  blind: (network, time) =>
    `Obecnie nie możemy połączyć się z siecią ${network}. Ostatnie sprawdzenie: ${time}.`,
  blindAdvice:
    'Jeśli płatność została już wysłana, nie przepadła. Nie płać ponownie: znajdziemy ją, gdy tylko ' +
    'połączymy się z siecią.',
}
