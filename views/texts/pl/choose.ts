import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Wybierz sposób płatności',
  byProvider: 'Karta, przelew bankowy lub portfel cyfrowy',
  crypto: 'Krypto',
  card: 'Karta',
  bank: 'Przelew bankowy',
  through: provider => `przez ${provider}`,
  moreWays: 'Więcej sposobów płatności',
  moreCoins: 'Więcej kryptowalut',
  filter: 'Znajdź sposób płatności',
  noMatch: 'Żaden sposób płatności nie pasuje.',
  usual: (fee, time) => `Opłata sieciowa: zwykle około ${fee}. Czas: około ${time}`,
  networks: count =>
    plural('pl', count, {
      one: `${count} sieć`,
      few: `${count} sieci`,
      many: `${count} sieci`,
    }),
  payWith: method => `Zapłać przez ${method}`,
  continueTo: method => `Przejdź do ${method}`,
  keepPageOpen: method =>
    `${method} otworzy się w nowej karcie. Wróć na tę stronę, aby zobaczyć, kiedy dotrze Twoja płatność.`,
  handledBy: company =>
    `${company} obsługuje płatność i wypłaca sklepowi kryptowalutę. Może poprosić o dokument ` +
    'tożsamości i doliczyć własną opłatę.',
  handledByNamed:
    'Wskazana firma obsługuje płatność i wypłaca sklepowi kryptowalutę. Może poprosić o dokument ' +
    'tożsamości i doliczyć własną opłatę.',
  back: 'Wróć do rozpoczętej płatności',
  noMethod: 'Brak metody płatności',
  nothing: 'Żadna metoda płatności nie jest obecnie dostępna',
  providerAway: 'Dostawca płatności nie odpowiada. Spróbuj ponownie za kilka minut.',
  noneForAmount: 'Żadna z metod płatności sklepu nie jest dostępna dla tej kwoty.',
  openUntil: time => `To zamówienie pozostaje otwarte do ${time}.`,
  cardsAway: 'Płatności kartą, przelewem bankowym i portfelem cyfrowym są obecnie niedostępne.',
  tryInMinutes: 'Spróbuj ponownie za kilka minut.',
  networksAway: networks => `Obecnie nie możemy połączyć się z: ${networks}.`,
  otherOrLater: 'Wybierz inną metodę płatności lub spróbuj ponownie za kilka minut.',
  unavailable: method => `${method}: metoda niedostępna`,
  chooseOther: 'Nie pobrano żadnych środków. Wybierz inną metodę.',
  declined: method => `${method}: płatność odrzucona`,
  tryAgainOrOther:
    'Płatność nie doszła do skutku. Jeśli bank pokazuje blokadę środków, zniknie ona sama. Spróbuj ' +
    'ponownie lub wybierz inną metodę.',
}
