import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Pagina niet gevonden',
    notPossible: 'Dit is niet mogelijk',
    notAvailable: 'Niet beschikbaar',
    tooMany: 'Te veel verzoeken',
    providerAway: 'De betaalprovider reageert niet',
    other: 'Er is iets misgegaan',
  },
  titled: title => `Fout: ${title}`,
  notSold: shop => `${shop} verkoopt dit niet meer.`,
  shopClosed:
    'Deze winkel accepteert op dit moment geen betalingen. Heb je al betaald, neem dan contact op ' +
    'met de winkel en vermeld je bestelnummer.',
  checkLink: 'Controleer de link of vraag de winkel om een nieuwe.',
  backToPayment: 'Terug naar de betaling',
  requestId: 'Verzoek-ID',
  waitMinute: 'Wacht een minuut en probeer het opnieuw.',
  wait: seconds =>
    plural('nl', seconds, {
      one: `Te veel verzoeken. Probeer het over ${seconds} seconde opnieuw.`,
      other: `Te veel verzoeken. Probeer het over ${seconds} seconden opnieuw.`,
    }),
  shopCannot:
    'De winkel kan deze bestelling nu niet accepteren. Probeer het later opnieuw of neem contact ' +
    'op met de winkel.',
  byCode: {
    validation_error:
      'Deze link of dit formulier is ongeldig. Ga terug of vraag de winkel om een nieuwe link.',
    not_found: 'Op dit adres is geen pagina.',
    order_not_payable:
      'Deze bestelling kan niet meer worden betaald. Ga terug naar de winkel en bestel opnieuw.',
    method_not_offered: 'Deze betaalmethode is niet beschikbaar. Kies een andere methode.',
    product_not_available:
      'Dit product is niet beschikbaar. Ga terug naar de winkel en kies een ander product.',
    internal_error:
      'Probeer het opnieuw. Gebeurt het nog een keer, neem dan contact op met de winkel en vermeld ' +
      'de verzoek-ID hieronder.',
    provider_unavailable: 'Probeer het over een paar minuten opnieuw.',
  },
  byReason: {
    order_unknown: 'Deze bestelling bestaat niet.',
    product_unknown: 'Dit product bestaat niet.',
    order_paid: 'Deze bestelling is al betaald.',
    order_cancelled: 'Deze bestelling is geannuleerd.',
    order_expired: 'Deze bestelling is verlopen. Ga terug naar de winkel en bestel opnieuw.',
    order_failed: 'De betaling van deze bestelling is mislukt. Ga terug naar de winkel en bestel opnieuw.',
    coin_not_offered: 'Deze munt is nu niet beschikbaar voor deze bestelling. Kies een andere methode.',
    coin_unsupported: 'Deze munt wordt niet meer ondersteund. Neem contact op met de winkel.',
    nothing_to_refund:
      'Er valt niets terug te betalen. Neem contact op met de winkel als je denkt dat dit een fout is.',
    address_saved:
      'Er is al een terugbetalingsadres opgeslagen. Neem contact op met de winkel om het te wijzigen.',
    private_key: 'Dit lijkt een privésleutel. Deel die nooit. Vul in plaats daarvan een adres in.',
    payment_address: 'Dit is het adres waarnaar je betaalt. Vul een adres van je eigen wallet in.',
    payments_open:
      'Je hebt tien betalingen voor deze bestelling geopend. Betaal er één of probeer het over 30 minuten ' +
      'opnieuw.',
    changed: 'Deze pagina was verouderd. Laad de pagina opnieuw en probeer het nog eens.',
  },
  notAnAddress: network => `Dit is geen adres op ${network}. Kopieer het opnieuw uit je wallet.`,
}
