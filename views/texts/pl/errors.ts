import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Nie znaleziono strony',
    notPossible: 'To niemożliwe',
    notAvailable: 'Niedostępne',
    tooMany: 'Zbyt wiele żądań',
    providerAway: 'Dostawca płatności nie odpowiada',
    other: 'Coś poszło nie tak',
  },
  titled: title => `Błąd: ${title}`,
  notSold: shop => `${shop} już tego nie sprzedaje.`,
  shopClosed:
    'Ten sklep obecnie nie przyjmuje płatności. Jeśli płatność została już wysłana, skontaktuj się ' +
    'ze sklepem i podaj numer zamówienia.',
  checkLink: 'Sprawdź link lub poproś sklep o nowy.',
  backToPayment: 'Wróć do płatności',
  requestId: 'Identyfikator żądania',
  waitMinute: 'Poczekaj minutę i spróbuj ponownie.',
  wait: seconds =>
    plural('pl', seconds, {
      one: `Zbyt wiele żądań. Spróbuj ponownie za ${seconds} sekundę.`,
      few: `Zbyt wiele żądań. Spróbuj ponownie za ${seconds} sekundy.`,
      many: `Zbyt wiele żądań. Spróbuj ponownie za ${seconds} sekund.`,
    }),
  shopCannot: 'Sklep nie może teraz przyjąć tego zamówienia. Spróbuj później lub skontaktuj się ze sklepem.',
  byCode: {
    validation_error: 'Ten link lub formularz jest nieprawidłowy. Wróć lub poproś sklep o nowy link.',
    not_found: 'Pod tym adresem nie ma strony.',
    order_not_payable: 'Tego zamówienia nie można już opłacić. Wróć do sklepu i złóż zamówienie ponownie.',
    method_not_offered: 'Ta metoda płatności jest niedostępna. Wybierz inną metodę.',
    product_not_available: 'Ten produkt jest niedostępny. Wróć do sklepu i wybierz inny.',
    internal_error:
      'Spróbuj ponownie. Jeśli problem się powtórzy, skontaktuj się ze sklepem i podaj poniższy ' +
      'identyfikator żądania.',
    provider_unavailable: 'Spróbuj ponownie za kilka minut.',
  },
  byReason: {
    order_unknown: 'Nie ma takiego zamówienia.',
    product_unknown: 'Nie ma takiego produktu.',
    order_paid: 'To zamówienie jest już opłacone.',
    order_cancelled: 'To zamówienie zostało anulowane.',
    order_expired: 'To zamówienie wygasło. Wróć do sklepu i złóż zamówienie ponownie.',
    order_failed: 'Płatność za to zamówienie nie powiodła się. Wróć do sklepu i złóż zamówienie ponownie.',
    coin_not_offered: 'Ta kryptowaluta jest obecnie niedostępna dla tego zamówienia. Wybierz inną metodę.',
    coin_unsupported: 'Ta kryptowaluta nie jest już obsługiwana. Skontaktuj się ze sklepem.',
    nothing_to_refund: 'Nie ma nic do zwrotu. Skontaktuj się ze sklepem, jeśli uważasz, że to pomyłka.',
    address_saved: 'Adres do zwrotu jest już zapisany. Aby go zmienić, skontaktuj się ze sklepem.',
    private_key: 'To wygląda na klucz prywatny. Nigdy go nie udostępniaj. Wpisz zamiast niego adres.',
    payment_address: 'To jest adres, na który wysyłasz płatność. Wpisz adres z własnego portfela.',
    payments_open:
      'Otwarto dziesięć płatności za to zamówienie. Opłać jedną z nich lub spróbuj ponownie za 30 minut.',
    changed: 'Ta strona była nieaktualna. Odśwież ją i spróbuj ponownie.',
  },
  notAnAddress: network => `To nie jest adres w sieci ${network}. Skopiuj go jeszcze raz z portfela.`,
}
