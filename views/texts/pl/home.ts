import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Płatności obsługuje Florin',
  what: 'Ten serwer przyjmuje płatności dla sklepów internetowych.',
  buyers: 'Chcesz zapłacić? Otwórz link otrzymany od sklepu.',
  developers: 'Prowadzisz ten serwer lub sklep? Dokumentacja API pokazuje, jak utworzyć zamówienie.',
  sandbox:
    'To jest środowisko testowe: aby je wypróbować, utwórz zamówienie i otwórz jego stronę ' +
    'płatności. Możesz zapłacić testowymi kartami i monetami.',
  reference: 'Dokumentacja API',
}
