import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Dotarła inna kryptowaluta',
    underpaid: 'Twoja płatność nie pokrywa tego zamówienia',
    late: 'Twoja płatność dotarła z opóźnieniem',
    second_payment: 'Dotarła druga płatność',
    order_closed: 'Dotarła płatność za zamknięte zamówienie',
    too_late: 'Twoja płatność dotarła za późno',
    overpaid: 'Zapłacono za dużo',
  },
  otherCoin: 'inną kryptowalutę',
  received: {
    wrong_asset: (coins, wanted) => `Otrzymaliśmy ${coins}, ale ta płatność miała być w ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Otrzymaliśmy ${coins}.` : `Otrzymaliśmy ${coins} o wartości ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Otrzymaliśmy ${coins} po upływie czasu na zapłatę.`
        : `Otrzymaliśmy ${coins} o wartości ${value} ` + 'po upływie czasu na zapłatę.',
    second_payment: coins => `Otrzymaliśmy ${coins}, ale to zamówienie było już opłacone.`,
    order_closed: coins => `Otrzymaliśmy ${coins}, ale to zamówienie było zamknięte.`,
    too_late: coins => `Otrzymaliśmy ${coins} długo po upływie czasu na zapłatę.`,
    overpaid: (coins, due) => `Otrzymaliśmy ${coins}, ale do zapłaty było tylko ${due}.`,
  },
  notLost: shop => `Płatność została zapisana, a sklep ${shop} został powiadomiony.`,
  contact: shop => `Skontaktuj się ze sklepem ${shop}`,
  contactForRefund: contact => `${contact} w sprawie zwrotu lub w razie pytań.`,
  refundAddress: network => `Adres do zwrotu w sieci ${network}`,
  optional: '(opcjonalnie)',
  saveAddress: 'Zapisz adres do zwrotu',
  wrongAddress: 'Jeśli jest błędny, skontaktuj się ze sklepem.',
}
